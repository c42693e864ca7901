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
# # 09 · Butler definitions matter
#
# **Everybody says "Butler", and programs differ in the datum they mean. How often does the definition change a pair's
# IMPs, its place, or the winner?**
#
# What the answer cannot tell:
#
# - which definition is right. Each has its reason; what matters is to know which one a list was made with;
# - what players would have done, had they known. A small gain over the datum may be worth a risk under one rule only;
# - anything about small fields at other clubs: with six tables two results left out are a third of the field.
#
# This notebook runs on a folder of real events, named in the environment variable `BRIDGE_ANALYTICS_EVENTS`, else on
# the generated season; notebook 01 says how to get the events that it was executed on.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown

import bridge_analytics as ba
from bridge_analytics import datasets, luck
from bridge_analytics.inference import clustered_proportion

folder = os.environ.get("BRIDGE_ANALYTICS_EVENTS")
plt.rcParams["figure.dpi"], pd.options.display.width = 85, 200
pd.options.display.float_format = "{:,.2f}".format
nobody = {"unknown_player": ["p000", "999"]}  # ids that stand for players who are not known
results = datasets.load_events(folder, layout=nobody) if folder else ba.read_results("../data/season.parquet")
by, of, apart = (datasets.DEALS, "partnerships", "event") if folder else (None, "pairs", "session")
everything = ba.score_results(results, by=by, forms=("cross_imps",))
named = everything[["north", "east"] if folder else ["ns", "ew"]].notna().all(axis=1)
mostly = named.groupby(everything["event"].astype(str)).mean()
scored = everything[everything["event"].isin(mostly.index[mostly > 0.9])]
Markdown(
    "These are **real events**." if folder else "These are the results of a **generated season**: see `data/README.md`."
)

# %% [markdown]
# ## Data

# %%
rows = {"results": everything, "without a score (left out)": everything[everything["score_ns"].isna()]}
rows |= {"in events whose players are not known (not ranked)": everything[~everything["event"].isin(scored["event"])]}
pd.DataFrame([(len(part), part["deal_id"].nunique()) for part in rows.values()], [*rows], ["results", "deals"])

# %% [markdown]
# ## One deal, twenty-two tables
#
# A slam on which thirteen tables stopped in game: +1460 once, +1430 eight times, +690, +680 eleven times, +660 (a
# worked example of *Valet Principles*, section 2.1, with a mean of 988). Under an average datum everybody lies far from
# it; under the median those who did the common thing score nothing; cross-IMPs compare with each of the others.

# %%
DATUMS = ["datum-trimmed", "datum-mean", "datum-truncated", "datum-acblscore", "datum-median"]
slam = np.repeat([1460, 1430, 690, 680, 660], [1, 8, 1, 11, 1])
own = {name: ba.butler(slam, by=np.zeros(22), datum=name) for name in DATUMS}
own["cross-IMPs"] = ba.cross_imps(slam, by=np.zeros(22))
datums = {name: ba.datum(slam, by=np.zeros(22), edition=name)[0] for name in DATUMS} | {"cross-IMPs": np.nan}
table = pd.DataFrame(own, index=slam).drop_duplicates().T.assign(datum=datums, sum=pd.DataFrame(own).sum())
table

# %% [markdown]
# ## All deals: how often the definition changes the IMPs of a result
#
# Every result under five datums, against the one that drops a result at each end. The deal is the unit: its tables have
# one datum.

# %%
imps = {name: ba.butler(scored["score_ns"], by=scored["deal_id"], datum=name) for name in DATUMS}
first, *others = imps.values()
changed = pd.concat(
    [
        clustered_proportion(other != first, cluster=scored["deal_id"]).assign(datum=name)
        for name, other in zip(DATUMS[1:], others, strict=True)
    ]
)
most = {name: np.nanmax(np.abs(other - first)) for name, other in zip(DATUMS[1:], others, strict=True)}
changed.set_index("datum")[["estimate", "low", "high", "results"]].assign(largest_change=most)

# %% [markdown]
# ## The sum over a deal
#
# Cross-IMPs of a deal add up to nothing. A Butler need not: the IMP scale is not a straight line, so that what is lost
# below a datum does not make up for what is won above it. The mean over North-South of each deal: over all deals it
# evens out, but a pair plays each deal once, on one side.

# %%
sums = (
    pd.DataFrame({**imps, "cross-IMPs": scored["cross_imps_ns"].to_numpy()})
    .groupby(scored["deal_id"].to_numpy())
    .mean()
)
sums.agg(["mean", "std", lambda column: column.abs().max()]).T.set_axis(["mean", "sd", "largest"], axis=1)

# %% [markdown]
# ## Places
#
# Each pair of each event, ranked under every definition. A pair counts if it played at least half of the boards that
# the busiest pair of its event did. The last columns count the events that another pair wins.


# %%
def ranked(name):
    """The average of each pair of each event under a definition, and its place."""
    value = scored["cross_imps_ns"].to_numpy() if name == "cross-IMPs" else imps[name]
    seats = ba.standings(scored.assign(butler_ns=value), form="butler", of=of, within=apart, winners=1)
    played = seats.groupby(apart, observed=True)["boards"].transform("max")
    seats = seats[(2 * seats["boards"] >= played) & seats["contestant"].notna()]
    return seats.assign(rank=seats.groupby(apart, observed=True)["average"].rank(ascending=False, method="min"))


keys = [apart, "contestant"]
places = pd.DataFrame({name: ranked(name).set_index(keys)["rank"] for name in [*DATUMS, "cross-IMPs"]})
moved = places.sub(places["datum-trimmed"], axis=0)
winners = places.eq(1)
other_winner = winners.ne(winners["datum-trimmed"], axis=0).groupby(level=apart, observed=True).any()
summary = {
    "pairs that change place": (moved != 0).mean(),
    "mean move": moved.abs().mean(),
    "largest": moved.abs().max(),
}
pd.DataFrame(summary).assign(**{"events with another winner": other_winner.sum(), "of events": len(other_winner)})

# %%
ax = plt.figure(figsize=(8, 3.6)).add_subplot()
steps = np.arange(0, 16)
for name in moved.columns[1:]:
    ax.plot(steps, [100 * (moved[name].abs() > step).mean() for step in steps], marker="o", ms=3, label=name)
ax.set(xlabel="places", ylabel="% of pairs that move by more", ylim=0, title="Places moved, against datum-trimmed")
ax.legend(frameon=False)
ax.figure.tight_layout()
# %% [markdown]
# ## Is that more than luck?
#
# The same pairs would not have the same places in another event either. Reliability is the correlation to be expected
# with a second event of the same pairs and length (notebook 10); beside it, what two definitions have in common on the
# same boards.

# %%
values = pd.DataFrame({name: ranked(name).set_index(keys)["average"] for name in places})
alike = values.corr(method="spearman")["datum-trimmed"]
needed = luck.reliability(scored, form="butler", of=of, winners=1, within=apart)
reliable = needed["reliability"].median()
pd.Series(
    {"two definitions, same boards (lowest)": alike.min(), "a second event, same definition (median)": reliable}
).to_frame("correlation")

# %% [markdown]
# ## Answer

# %%
share = changed.set_index("datum").loc["datum-mean"]
text = (
    f"An untrimmed mean instead of one without its extremes changes {share['estimate']:.1%} of the IMPs of single "
    f"results ({share['low']:.1%} to {share['high']:.1%}), the place of {(moved['datum-mean'] != 0).mean():.0%} of the "
    f"pairs and the winner of {other_winner['datum-mean'].sum()} of {len(other_winner)} rankings; the median changes "
    f"the winner of {other_winner['datum-median'].sum()}. "
    "A list without the name of its datum cannot be checked, but its places mean less than that: two definitions "
    f"correlate at {alike.min():.2f} or more, two events of the same pairs at about {reliable:.2f}."
)
Markdown(text)
