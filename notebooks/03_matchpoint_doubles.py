# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 03 · Matchpoint doubles and the magic 200
#
# **At matchpoints it is not how much a double wins that counts, but how many tables it beats. So when does it pay to
# double a partscore, and is 200 the magic number?**
#
# What the answer cannot tell:
#
# - what your field will do on the next board. The first half takes a field of two kinds of tables, the second the
#   fields that these very boards had;
# - what the double told the declarer, or what bidding on would have brought;
# - anything about a double that was made for a lead or for take-out and left in: the final contract does not say.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown, display

import bridge_analytics as ba
from bridge_analytics import datasets, plots
from bridge_analytics.groups import group_codes
from bridge_analytics.inference import clustered_mean

season = ba.score_results(ba.read_results("../data/season.parquet"))
folder = os.environ.get("BRIDGE_ANALYTICS_EVENTS")  # a folder of real events; without it the generated season
plt.rcParams["figure.dpi"], pd.options.display.width = 85, 200
scored = ba.score_results(datasets.load_events(folder), by=datasets.DEALS) if folder else season
Markdown(
    "These are **real events**." if folder else "These are the results of a **generated season**: see `data/README.md`."
)

# %% [markdown]
# ## Data
#
# "Partscore" is by the bid. Redoubled contracts and what has no score are left out. Passed-out boards are tables of the
# field like any others. Events for teams are compared here as if they had been played at matchpoints.

# %%
partscore = ba.contract_class(scored["contract"]) == "partscore"
times = ba.split_contract(scored["contract"])[2]
doubled = scored[partscore & (times == 1) & scored["score"].notna()]
rows = {
    "results": scored,
    "without a score (left out)": scored[scored["score"].isna()],
    "partscores": scored[partscore],
    "partscores, redoubled (left out)": scored[partscore & (times == 2)],
    "partscores, doubled once": doubled,
}
tables = scored.groupby("deal_id").size()
display(pd.DataFrame([(len(part), part["deal_id"].nunique()) for part in rows.values()], [*rows], ["results", "deals"]))
Markdown(f"Tables on a deal: {tables.min()} to {tables.max()}, in the middle {tables.median():.0f}.")

# %% [markdown]
# ## Method: a field of two kinds of tables
#
# You defend a partscore. At a share $f$ of the other tables your side plays, for a score $S$; the rest defend as you,
# undoubled, and take the same tricks. Against those a double wins half a point a table when the contract goes down and
# loses half when it makes, whatever the numbers. Against the tables with $S$ it wins something only if it lifts your
# score over $S$. What one down is worth to you, and what it beats:

# %%
defended = pd.DataFrame({"contract": ["2S", "2S", "2SX", "2SX"], "vulnerable": [False, True] * 2})
won = -ba.score(defended["contract"], defended["vulnerable"], 7)
beaten = {f"beats {score}": np.where(won > score, "yes", "") for score in (90, 110, 140, 170)}
defended.assign(**{"one down": won}, **beaten)

# %% [markdown]
# Not vulnerable, one down is worth 50 or 100: the double passes the small partscores up to 90. Vulnerable it is worth
# 100 or 200, and the double passes every ordinary partscore: the magic 200. Not those that took eleven tricks or more
# in a major or in notrump: 2♠ with three over is 200 too, 1NT with four over 210, 1♠ with five over 230. Two down, it
# is the other way round: 300 instead of 100 passes what 500 instead of 200 had passed already. How many are out of
# reach of 200, among the undoubled partscores that were made?

# %%
made = scored.loc[partscore & (times == 0), "score"].dropna()
made = made[made > 0]
counts = {"below 200": made < 200, "200 (a tie)": made == 200, "above 200": made > 200}
pd.DataFrame([(which.sum(), f"{which.mean():.1%}") for which in counts.values()], [*counts], ["results", "share"])

# %% [markdown]
# The break-even odds at matchpoints, for a field that plays for 90 and for one that plays for 110 to 170:

# %%
shares = np.linspace(0, 0.98, 50)
figure, panels = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
for vulnerable, ax in zip([False, True], panels, strict=True):
    for score, down, style, colour in ((90, 1, "-", "#0072B2"), (110, 1, "--", "#D55E00"), (110, 2, ":", "#000000")):
        options = {"vulnerable": vulnerable, "form": "matchpoints", "field_share": shares, "field_score": score}
        odds = ba.break_even("2S", down={down: 1}, **options)
        name = f"S = {'90' if score == 90 else '110 to 170'}, {down} down"
        ax.plot(100 * shares, 100 * odds["low"], style, color=colour, label=name, linewidth=2 if down == 1 else 4)
    ax.set(xlabel="share of the field playing for S [%]", title=f"2S{'' if vulnerable else ' not'} vulnerable")
    ax.set_ylabel("break-even P(down) [%]")
_ = panels[0].legend()
# %% [markdown]
# ## At the tables: what fields are like
#
# How large is $f$? For each doubled partscore, the share of the other tables of its deal at which the doublers' side
# played a partscore itself, undoubled, and made it:

# %%
side = np.where(scored["declarer"].isin(["N", "S"]), 1, 0)
deal, deals = group_codes(scored["deal_id"])
own = partscore & (times == 0) & (scored["score"] > 0).fillna(False).to_numpy(dtype=bool)
playing = np.bincount((2 * deal + side)[own], minlength=2 * deals)[2 * deal + 1 - side] / (np.bincount(deal)[deal] - 1)
f = pd.Series(playing, scored.index)[doubled.index]
vulnerability = doubled["vulnerable"].map({False: "not vulnerable", True: "vulnerable"}).astype("str")
fields = clustered_mean(f, cluster=doubled["deal_id"], within=vulnerability)
fields[["within", "estimate", "low", "high", "results", "clusters"]].round(3)

# %% [markdown]
# ## At the tables: what the double was worth
#
# Each double against the same contract undoubled with the same tricks, in the field that it met; in percent of the top,
# for the defenders. The deal is the unit, since all its tables share the cards.

# %%
result = doubled["tricks"].astype(int) - 6 - ba.split_contract(doubled["contract"])[0]
came_out = np.select([result >= 0, result == -1], ["made", "one down"], "two or more down")
kind = (vulnerability + ", " + came_out).rename("kind")
actions = {"pass": ba.what_if(doubled, doubled=0), "double": doubled}
options = {"by": "deal_id", "form": "matchpoints", "side": "defenders", "weights": "result", "field": scored}
by_result = ba.compare(actions, within=kind, **options).sort_values("within", ignore_index=True)
ax = plots.forest(by_result)
ax.set_xlabel("double against pass, same tricks, for the defenders [% of the top]")
ax.figure.set_size_inches(7, 3)

# %%
overall = pd.concat(
    [ba.compare(actions, **options).assign(within="all"), ba.compare(actions, within=vulnerability, **options)]
)
overall[["within", "estimate", "low", "high", "share_gained", "share_lost", "results", "boards"]].round(3)

# %% [markdown]
# Where tables were in the same contract, some doubled and some not, the comparison needs no model of what the undoubled
# score would have been. It speaks of the boards on which the field disagreed, and these doubles are the doubtful ones:

# %%
weights = ("cell", "doubled", "undoubled")
cells = [ba.matched(scored[partscore], side="defenders", weights=w, forms=("matchpoints",)) for w in weights]
pd.concat(cells)[["weights", "estimate", "low", "high", "results", "boards", "method"]].round(2)

# %% [markdown]
# ## Does it find what is there?
#
# The season is generated: doubling the partscores that were doubled gained 76.6 points and 2.02 IMPs a result, and gave
# declarer a tenth of a trick (`data/README.md`; no truth is given at matchpoints). Above, the undoubled contract was
# given the tricks that were made *with* the double. Take the tenth of a trick off again: nine times in ten the same
# tricks, once in ten one less.

# %%
once = ba.split_contract(season["contract"])[2] == 1
pays = season[once & (ba.contract_class(season["contract"]) == "partscore")]
sign = np.where(pays["declarer"].isin(["N", "S"]), -1, 1)
gains = [
    sign
    * (pays["score_ns"] - ba.what_if(pays, doubled=0, tricks=(pays["tricks"] - less).clip(0))["score_ns"]).astype(int)
    for less in (0, 1)
]
found = {}
for form, truth, worth in (("points", 76.6, np.asarray), ("IMPs", 2.02, ba.imps)):
    same, less = (worth(gain).astype(float) for gain in gains)
    for name, values in (("same tricks", same), ("a tenth of a trick less", 0.9 * same + 0.1 * less)):
        found[form, name, truth] = clustered_mean(values, cluster=pays["deal_id"])
check = pd.concat(found, names=["form", "undoubled with", "truth"])[["estimate", "low", "high"]].droplevel(3)
check.reset_index("truth").round(2)

# %% [markdown]
# All four intervals hold the truth; the tenth of a trick is what the first of each pair has too much. The gains at
# matchpoints above are too high for the same reason, and by as small a part.
#
# ## Answer

# %%
worth = by_result.set_index("within")[["estimate", "low", "high"]]
worth = worth.where(worth["estimate"] > 0, -worth[["estimate", "high", "low"]].to_numpy())
texts = worth.apply(lambda row: "{:.0f} % of the top ({:.0f} to {:.0f})".format(*row), axis=1)
total = overall.iloc[0]
Markdown(
    f"One down, a double was worth {texts['vulnerable, one down']} where declarer was vulnerable, for 200, against "
    f"{texts['not vulnerable, one down']} where not, for 100; when the contract made, it cost "
    f"{texts['vulnerable, made']} and {texts['not vulnerable, made']}. Together the {total['results']:,} doubled "
    f"partscores, on {total['boards']:,} deals, gained {total['estimate']:.1f} % of the top (95 % interval "
    f"{total['low']:.1f} to {total['high']:.1f}) over the same tricks undoubled."
)
