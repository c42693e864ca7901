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
# # 10 · Luck, skill, and how many boards
#
# **How much of a ranking is luck, how many boards does it take to tell who is better, and is the skill in the bidding
# or in the play?**
#
# What the answer cannot tell:
#
# - who is a good player: only pairs are rated here, in the field and the weeks they played;
# - how good the opponents were. They are taken as chance, which is fair in a field where all meet many;
# - whether a pair got better: skill is taken as one number for the whole of an event.
#
# This notebook runs on a folder of real events, named in the environment variable `BRIDGE_ANALYTICS_EVENTS`, else on
# the generated season, whose truth is known; notebook 01 says how to get the events that it was executed on. The last
# part is always on the generated season.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown

import bridge_analytics as ba
from bridge_analytics import datasets, luck
from bridge_analytics.inference import win_probability

folder = os.environ.get("BRIDGE_ANALYTICS_EVENTS")
plt.rcParams["figure.dpi"], pd.options.display.width = 85, 200
pd.options.display.float_format = "{:,.2f}".format
season = ba.score_results(ba.read_results("../data/season.parquet"), forms=())
nobody = {"unknown_player": ["p000", "999"]}  # ids that stand for players who are not known
played = datasets.load_events(folder, layout=nobody) if folder else None
everything = ba.score_results(played, by=datasets.DEALS, forms=()) if folder else season
of = "partnerships" if folder else "pairs"
named = everything[["north", "east"] if folder else ["ns", "ew"]].notna().all(axis=1)
mostly = named.groupby(everything["event"].astype(str)).mean()
scored = everything[everything["event"].isin(mostly.index[mostly > 0.9])]
Markdown(
    "These are **real events**." if folder else "These are the results of a **generated season**: see `data/README.md`."
)

# %% [markdown]
# ## Data

# %%
rows = {"results": everything, "in events whose players are not known (left out)": everything.drop(scored.index)}
pd.DataFrame([(len(part), part["deal_id"].nunique()) for part in rows.values()], [*rows], ["results", "deals"])

# %% [markdown]
# ## Method: two spreads
#
# On one board a pair is worth its cross-IMPs against the other tables. `within_sd` is how much that varies from board
# to board for one pair, `between_sd` how much pairs differ in truth, which is less than their averages do. With
# k = within² / between², an average of n boards has the reliability n / (n + k): the share of its variance that is
# skill, and the correlation to be expected with a second event like it. So an average of k boards is half luck.

# %%
needed = luck.reliability(scored, of=of, winners=1, within="event").sort_values("boards_needed")
columns = ["contestants", "boards", "within_sd", "between_sd", "reliability", "boards_needed", "low", "high"]
spread = needed.set_index("event")[columns]
spread.drop(columns="high").quantile([0, 0.25, 0.5, 0.75, 1])

# %% [markdown]
# Events outside 95 to 250 boards, the range in which ten of such events were found before:

# %%
spread[~spread["boards_needed"].between(95, 250)]

# %% [markdown]
# ## How long is an evening?

# %%
k = spread["boards_needed"].median()
ax = plt.figure(figsize=(8, 3.6)).add_subplot()
n = np.arange(1, 601)
for quantile, style in ((0.25, ":"), (0.5, "-"), (0.75, "--")):
    own = spread["boards_needed"].quantile(quantile)
    ax.plot(n, n / (n + own), style, color="C0", label=f"k = {own:.0f} ({quantile:.0%} of the events need fewer)")
ax.scatter(spread["boards"], spread["reliability"], s=14, color="C1", label="events as they were played")
ax.axvline(26, color="grey", lw=0.8)
ax.annotate("an evening", (26, 0.97), xytext=(4, 0), textcoords="offset points", va="top", fontsize=8)
ax.set(xlabel="boards", ylabel="reliability of a ranking", ylim=(0, 1), xlim=(0, 600))
ax.legend(frameon=False, fontsize=8, loc="lower right")
ax.figure.tight_layout()
# %% [markdown]
# The other way to ask: the better team has an edge of so many IMPs a board; how often does it win a match of so many
# boards? One board varies by 5.63 IMPs (a variance of 31.7, as a published table has it).

# %%
edges, lengths = [0.25, 0.5, 1, 2], [7, 24, 32, 64, 128]
odds = 100 * win_probability(np.array(edges)[:, None], np.array(lengths), variance=31.695895)
pd.DataFrame(odds, pd.Index(edges, name="IMPs a board"), pd.Index(lengths, name="boards")).round(0)

# %% [markdown]
# ## Drawn in, ratings foretell more
#
# Each event cut in two, by rounds: the averages of the first half, and ratings (each average drawn in by its
# reliability, as estimated from that half alone), against the averages of the second half.


# %%
def halves(event):
    """The first half of the rounds of an event (of its sessions, where it has several), and the second."""
    name = next(name for name in ("session", "round", "board") if len(event[name].unique()) > 1)
    label = pd.to_numeric(event[name].astype(str))
    early = label <= label.median()
    return event[early], event[~early]


def errors(event):
    """The mean squared error of averages and of ratings of the first half on the second."""
    first, second = halves(event)
    rated = luck.ratings(first, of=of, winners=1).set_index("contestant")
    later = luck.split(second, of=of, winners=1).set_index("contestant")["result"]
    return ((rated[["mean", "rating"]].sub(later, axis=0)) ** 2).mean().rename(event["event"].iloc[0])


error = pd.DataFrame([errors(event) for _, event in scored.groupby("event", observed=True)])
better = error["rating"] < error["mean"]
pd.Series({"averages": error["mean"].mean(), "ratings": error["rating"].mean()}, name="squared error").to_frame()

# %%
largest = scored["event"].value_counts().idxmax()
top = luck.ratings(scored[scored["event"] == largest], of=of, winners=1).head(15).iloc[::-1]
ax = plt.figure(figsize=(8, 4)).add_subplot()
ax.errorbar(top["rating"], range(len(top)), xerr=top["high"] - top["rating"], fmt="o", ms=4, label="rating, 95 %")
ax.scatter(top["mean"], range(len(top)), marker="|", s=80, color="C1", label="average")
names = [f"{place} ({boards})" for place, boards in zip(range(len(top), 0, -1), top["boards"], strict=True)]
ax.set_yticks(range(len(top)), names)
ax.axvline(0, color="grey", lw=0.8)
ax.set(xlabel="cross-IMPs a board", title=f"{largest}: the best fifteen, by place (and boards)")
ax.legend(frameon=False, fontsize=8)
ax.figure.tight_layout()

# %% [markdown]
# ## Bidding or play?
#
# From results alone: a contract is worth what it brings with the tricks that the declarers of that side in that strain
# won on average (bidding); the rest is play. The same variances for each part: what pairs differ in.


# %%
def skills(event):
    """The spread between pairs in each part, from the spread of their averages less that of luck."""
    found = luck.split(event, of=of, winners=1).query("boards >= 20")
    parts = ("result", "bidding", "play")
    return pd.Series({name: np.sqrt(max(found[name].var() - (found[f"{name}_se"] ** 2).mean(), 0)) for name in parts})


pd.DataFrame([skills(event) for _, event in scored.groupby("event", observed=True)]).quantile([0.25, 0.5, 0.75])

# %% [markdown]
# ## Where the truth is known
#
# The generator of the season gave each pair a skill in bidding and one in play. With the double-dummy tricks at hand
# luck can be told apart too: it is what the play at the other tables did to the field. Correlations over the 72 pairs:

# %%
truth = pd.read_csv("../data/season_pairs.csv").set_index("pair")
found = luck.split(season, against="double_dummy", winners=1).set_index("contestant").loc[truth.index]
pd.DataFrame(
    {
        f"true {skill}": [np.corrcoef(truth[skill], found[part])[0, 1] for part in ("bidding", "play", "luck")]
        for skill in ("bidding", "play")
    },
    index=["bidding found", "play found", "luck found"],
)

# %% [markdown]
# ## Answer

# %%
low, high = spread["boards_needed"].quantile([0.25, 0.75])
text = (
    f"In the median of {len(spread)} rankings it takes {k:.0f} boards until half of the differences are skill "
    f"(middle half of the events: {low:.0f} to {high:.0f}), so that an evening of 26 boards is "
    f"{100 * k / (26 + k):.0f} % luck. "
    f"Ratings drawn in by their reliability foretold the second half better than averages in {better.sum()} of "
    f"{len(better)} rankings, with {1 - error['rating'].mean() / error['mean'].mean():.0%} less squared error."
)
Markdown(text)
