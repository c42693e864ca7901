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
# # 02 · Break-even odds
#
# **How often must a partscore go down for a double to pay, and do the ones that get doubled go down that often?**
#
# The first half is arithmetic on the scoring table: exact, once it is said how far the contracts go down. The second
# half counts results.
#
# What the answer cannot tell:
#
# - whether *this* contract will go down. The odds say how sure you must be, not how sure you are;
# - what the double tells declarer. Both sides of the sum assume the same tricks with and without it. That is tested
#   below, and where the test refutes it the double is worth less than the sum says;
# - what bidding on, instead of passing, would have brought.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown

import bridge_analytics as ba
from bridge_analytics import datasets, plots
from bridge_analytics.inference import clustered_proportion
from bridge_analytics.mixes import DOWN

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
# "Partscore" is by the bid: 2♠ doubled is a partscore, though it counts as a game when it makes. Redoubled contracts
# answer another question and are left out; what has no score cannot be counted.

# %%
partscore = ba.contract_class(scored["contract"]) == "partscore"
times = ba.split_contract(scored["contract"])[2]
doubled = scored[partscore & (times == 1) & scored["score"].notna()]
rows = {
    "results": scored,
    "without a score (left out)": scored[scored["score"].isna()],
    "passed out (left out)": scored[scored["status"] == "passed"],
    "partscores": scored[partscore],
    "partscores, redoubled (left out)": scored[partscore & (times == 2)],
    "partscores, doubled once": doubled,
}
pd.DataFrame([(len(part), part["deal_id"].nunique()) for part in rows.values()], [*rows], ["results", "deals"])

# %% [markdown]
# ## Method: the odds
#
# With $W$ IMPs won on average when the contract goes down and $L$ lost when it makes, a double breaks even where
# $p \cdot W = (1 - p) \cdot L$, that is at $p = L / (L + W)$. IMPs are against team-mates who passed the same contract
# and took as many tricks. How far a contract goes down matters, so there are two columns: one down each time, and one,
# two or three down in 60, 30 and 10 of 100 cases, roughly as undoubled partscores do (counted below).

# %%
contracts = ["1C", "1H", "1NT", "2C", "2H", "2NT", "3C", "3H", "4C"]
figure, panels = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
for vulnerable, ax in zip([False, True], panels, strict=True):
    plots.break_even_map(ba.break_even(contracts, vulnerable=vulnerable), ax=ax)

# %% [markdown]
# The step is where the doubled trick score reaches a game. Below it a mistaken double costs a little; from 2♥ up, in a
# minor from 3♣ up, it gives the declarer a game. In 3♠, not vulnerable, one trick lies between a gain of two IMPs and a
# loss of nine. How sure the double has to be depends on the column:

# %%
charted = pd.concat([ba.break_even(contracts, vulnerable=vulnerable) for vulnerable in (False, True)])
into = np.where(ba.doubled_into_game(charted["contract"]), "doubled into game", "below game")
spans = charted.groupby([into, "down"])["low"].agg(["min", "max"])
spans.rename_axis(["", "goes down"]).map("{:.0%}".format)

# %% [markdown]
# So a double into a game has to be right about four times in five if it can only be one down, and about seven times in
# ten if it may be more.
#
# How much do the odds depend on how far the contracts go down? Move one case in five to each number of undertricks:

# %%
moved = ba.break_even(["2C", "3S"], vulnerable=[False, False], down=ba.shifted_mixes(DOWN, share=0.2))
moved.pivot_table(index="down", columns="contract", values="low", sort=False, observed=True).map("{:.1%}".format)

# %% [markdown]
# ## At the tables
#
# How do doubled partscores come out, and how do undoubled ones? How far down those went that went down:


# %%
def over(part):
    """Tricks over the contract, within what all three contracts below can have; farther ones are rare."""
    return (part["tricks"].astype(int) - 6 - ba.split_contract(part["contract"])[0]).clip(-7, 4)


result, plain = over(doubled), over(scored[partscore & (times == 0) & scored["score"].notna()])
failed = {"doubled": -result[result < 0], "undoubled": -plain[plain < 0]}
mixes = pd.DataFrame({name: part.value_counts(normalize=True) for name, part in failed.items()}).fillna(0)
mixes = mixes.map("{:.1%}".format).T.rename_axis(columns="down by")
mixes.assign(mean=[f"{part.mean():.2f}" for part in failed.values()], results=[len(part) for part in failed.values()])

# %% [markdown]
# How often must 1♠, 2♠ and 3♠ go down if they come out as the doubled ones did? The band is how often these went down,
# with its interval; the deal is the unit, since all tables that hold it share the cards.

# %%
down = {"as these": failed["doubled"].value_counts(normalize=True)}
made = {"as these": result[result >= 0].value_counts(normalize=True)}
observed = clustered_proportion(result < 0, cluster=doubled["deal_id"])
cases = [("1S", False), ("2S", False), ("3S", False), ("1S", True), ("2S", True), ("3S", True)]
names, vulnerable = zip(*cases, strict=True)
odds = ba.break_even(names, vulnerable=vulnerable, down=down, made=made)
plots.expected_value(odds, observed=observed).figure.set_size_inches(8, 4)

# %% [markdown]
# The same odds beside those of the mix of 60, 30 and 10, made exactly. Undertricks lower them and overtricks, which a
# double makes dear, raise them:

# %%
usual = ba.break_even(names, vulnerable=vulnerable, down=DOWN)
beside = {"as these": odds["low"].to_numpy(), "60/30/10, made exactly": usual["low"].to_numpy()}
beside = pd.DataFrame(beside, [f"{name}{', vulnerable' * flag}" for name, flag in cases])
beside.map("{:.1%}".format)

# %% [markdown]
# Were they down often enough? In each class, the share that went down and the share that had to, from what these very
# doubles won and lost:

# %%
answers = ba.study("doubled-partscores", scored)
classes = answers[answers["within"].fillna("").str.contains("game")]
classes = classes.sort_values(["within", "estimand"], kind="stable", ignore_index=True)
ax = plots.forest(classes.drop(columns=["action", "against"]))
ax.set_xlabel("share of the doubled contracts")
ax.figure.set_size_inches(7, 3.6)

# %% [markdown]
# Two shares from the same results are not compared by looking at two intervals. That a class went down oftener than it
# had to is the same as that its doubles gained on average, so take the gain, result by result, and its interval. Zero
# outside the interval is clear, inside it open; each interval has its own 95 %, though four are asked at once:

# %%
side = doubled["vulnerable"].map({False: "not vulnerable", True: "vulnerable"}).astype("str")
kind = side + np.where(ba.doubled_into_game(doubled["contract"]), ", doubled into game", ", below game")
actions = {"pass": ba.what_if(doubled, doubled=0), "double": doubled}
options = {"by": "deal_id", "form": "imps", "side": "defenders", "weights": "result", "field": scored}
gain = ba.compare(actions, within=kind.rename("kind"), **options).set_index("within")
gain["often enough"] = np.select([gain["low"] > 0, gain["high"] < 0], ["clear", "clearly not"], "open")
gain[["estimate", "low", "high", "often enough", "results", "boards"]].round(2)

# %% [markdown]
# ## Is it true that the tricks are the same?
#
# On deals where the same declarer played the same contract doubled at some tables and undoubled at others, did the
# double change the tricks? Declarer's tricks, doubled less undoubled; a cell of deal, contract and declarer counts as
# often as it was doubled. (The codes under `warnings` are spelled out in `bridge_analytics.selection.CODES`.)

# %%
sources = {"real events": scored, "generated season": season}
sources = sources if folder else {"generated season": season}
told = pd.concat(
    [ba.matched(part, side="defenders", weights="doubled", forms=("tricks",)) for part in sources.values()]
)
told = told.set_axis([*sources])
told[["estimate", "low", "high", "results", "boards", "warnings"]].round(3)

# %%
refuted = (told["low"] > 0) | (told["high"] < 0)
said = refuted.map({True: "**refuted** (the interval holds no zero)", False: "not refuted (which does not show it)"})
Markdown(
    "That the tricks are the same is, in the "
    + "; in the ".join(f"{name}, {words}" for name, words in said.items())
    + ". What declarer wins by being told, the sums above give to the undoubled contract as well: where the difference "
    "is above zero, the double gained less than they say, and it has to be right oftener."
)

# %% [markdown]
# ## Does it find what is there?
#
# The season is generated, so its truth is known (`data/README.md`): 85.0 % of the contracts doubled once went down; a
# double gives declarer a tenth of a trick; adding the double to the partscores that were doubled gained the defenders
# 76.6 points and 2.02 IMPs a result. The same code should find it.

# %%
once = ba.split_contract(season["contract"])[2] == 1
pays = season[once & (ba.contract_class(season["contract"]) == "partscore")]
actions = {"pass": ba.what_if(pays, doubled=0), "double": pays}
found = {
    ("went down, doubled once", 0.85): clustered_proportion(season["score"][once] < 0, cluster=season["deal_id"][once]),
    ("tricks that a double gives", 0.10): told[-1:],
}
for form, truth in (("points", 76.6), ("imps", 2.02)):
    answer = ba.compare(actions, by="deal_id", form=form, side="defenders", weights="result")
    found[f"doubling these gained, {form}", truth] = answer
check = pd.concat(found, names=["", "truth"])[["estimate", "low", "high"]].droplevel(2).reset_index("truth")
check["inside"] = check["truth"].between(check["low"], check["high"])
check.round(3)

# %% [markdown]
# The truth is inside each interval. That the gain comes out a little high is no accident: the tricks that were made
# with the double are given to the undoubled contract too, which would have had a tenth of a trick less.
#
# ## Answer

# %%
share = observed.iloc[0]
need = classes[classes["estimand"] == "break_even"].set_index("within")["estimate"]
below, into = (need[need.index.str.contains(word)] for word in ("below", "into"))
single = spans.loc["doubled into game", "min"]["one down"], spans.loc["doubled into game", "max"]["one down"]
verdicts = [
    f"{verdict} in {len(part)} ("
    + "; ".join(f"{name}: {row['estimate']:+.2f} IMPs, {row['low']:+.2f} to {row['high']:+.2f}" for name, row in part)
    + ")"
    for verdict in gain["often enough"].drop_duplicates().sort_values()  # clear, clearly not, open
    for part in [[*gain[gain["often enough"] == verdict].iterrows()]]
]
Markdown(
    f"If the contracts come out as these did, a double that leaves the partscore below game has to be right "
    f"{below.min():.0%} to {below.max():.0%} of the time and one that makes it a game {into.min():.0%} to "
    f"{into.max():.0%} ({single[0]:.0%} to {single[1]:.0%} if it can only be one down). The partscores that were "
    f"doubled went down {share['estimate']:.1%} of the time (95 % interval {share['low']:.1%} to {share['high']:.1%}; "
    f"{share['results']:,} results on {share['clusters']:,} deals), and that this was often enough, by what the double "
    f"gained a result over the same tricks undoubled, is, of the {len(gain)} classes, {', '.join(verdicts)}."
)
