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
# # 07 · Is 25 enough for 3NT?
#
# **How many points do two flat hands without a fit in a major need, so that bidding 3NT is better than stopping in
# 2NT?**
#
# The deals are dealt at random under these conditions and solved double dummy: all four hands are seen by all.
#
# What the answer cannot tell:
#
# - what a defender leads who does not see the cards. Double dummy the lead is always the best one, and declarer always
#   guesses right: the two errors pull opposite ways, see the next notebook;
# - what happens with a long suit, a singleton or a fit in a major: such hands are not dealt here;
# - whether 25 points *that opened and answered* are like 25 dealt at random. The other side is silent here.

# %%
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown

import bridge_analytics as ba
from bridge_analytics import double_dummy
from bridge_analytics.inference import clustered_mean, wilson

plt.rcParams["figure.dpi"], pd.options.display.width = 85, 200

# %% [markdown]
# ## Data
#
# Both hands flat (no void, no singleton, no seven cards, no six but with 3-2-2), less than eight cards in each major.
# 300 deals for each total from 22 to 28 points. The seeds say which deals they are, so `data/notrump.parquet` can hold
# their tricks, and nothing is solved twice; take it away and they are solved again, in some minutes.

# %%
FLAT = ["4-3-3-3", "4-4-3-2", "5-3-3-2", "5-4-2-2", "6-3-2-2"]
TOTALS = range(22, 29)


def no_major(deals):
    """Whether North and South have no eight cards in a major."""
    lengths = ba.suit_lengths(deals[:, [0, 2]]).astype(int).sum(axis=1)
    return (lengths[:, 2:] < 8).all(axis=1)


def wanted(deals, *, total):
    """Whether South is flat too, and both have so many points and no major."""
    flat = np.isin(ba.shape(deals[:, 2]).astype(str), FLAT)
    return flat & (ba.side_hcp(deals)[:, 0] == total) & no_major(deals)


def tricks_of(deals):
    """The tricks at no trump of the stronger hand (South's if they are equal)."""
    points, tricks = ba.hcp(deals), np.empty(len(deals), int)
    north = points[:, 0] > points[:, 2]
    for seat, part in (("N", north), ("S", ~north)):
        solved = double_dummy.tricks(deals[part], strains=["NT"], declarers=seat, cache="../data/notrump.parquet")
        tricks[part] = solved[:, 0, 0]
    return tricks


north = {"N": {"shape": FLAT}}
deals = {n: ba.random_deals(300, seed=700 + n, hands=north, where=partial(wanted, total=n)) for n in TOTALS}
tricks = {total: tricks_of(some) for total, some in deals.items()}
Markdown(
    f"{sum(map(len, deals.values())):,} deals, each with two results, one of each partner as declarer; those of the "
    "weaker hand are left out."
)

# %% [markdown]
# ## How often nine tricks are there
#
# The interval is Wilson's for one share; deals are independent here.

# %%
made = pd.DataFrame({"made": [(tricks[n] >= 9).sum() for n in TOTALS], "deals": [*map(len, tricks.values())]}, TOTALS)
share = wilson(made["made"], made["deals"]).set_axis(made.index.rename("points"))
columns = pd.DataFrame({n: [(tricks[n] == won).mean() for won in range(6, 13)] for n in TOTALS}, range(6, 13)).T
table = pd.concat([share[["estimate", "low", "high"]], columns.add_suffix(" tricks")], axis=1)
table.assign(mean=[tricks[n].mean() for n in TOTALS], deals=made["deals"]).round(3)

# %% [markdown]
# ## How often they must be there
#
# 3NT against 2NT with the same tricks: what it wins with nine, what it loses with eight, and how sure of nine one has
# to be if it is always one of the two. At matchpoints the tops are alike, so one half is enough.

# %%
rows = []
for vulnerable in (False, True):
    points = [int(ba.score("3NT", vulnerable, won)) - int(ba.score("2NT", vulnerable, won)) for won in (9, 8)]
    wins, loses = (int(part) for part in ba.imps(points))
    rows.append((vulnerable, *points, wins, loses, -loses / (wins - loses)))
columns = ["vulnerable", "nine [points]", "eight [points]", "nine [IMPs]", "eight [IMPs]", "needed"]
odds = pd.DataFrame(rows, columns=columns).set_index("vulnerable")
odds.round(3)

# %%
figure, ax = plt.subplots(figsize=(7, 3.8), layout="constrained")
error = np.abs(share[["low", "high"]].to_numpy().T - share["estimate"].to_numpy())
ax.errorbar(share.index, share["estimate"], yerr=error, fmt="o", capsize=3)
needs = {
    "matchpoints": 0.5,
    "IMPs, not vulnerable": odds.loc[False, "needed"],
    "IMPs, vulnerable": odds.loc[True, "needed"],
}
for (name, need), colour in zip(needs.items(), ["C1", "C2", "C3"], strict=True):
    ax.axhline(need, color=colour, linewidth=1, label=f"needed at {name}: {need:.0%}")
ax.legend(loc="upper left")
ax.set(xlabel="points of both hands", ylabel="share of deals with nine tricks")
ax.yaxis.set_major_formatter("{x:.0%}")
# %% [markdown]
# ## What bidding it wins
#
# Tricks are not only eight or nine. What 3NT wins over 2NT on these very deals, the mean a deal and its 95 % interval:

# %%
gains = {}
for total in TOTALS:
    for vulnerable in (False, True):
        three, two = (ba.score(bid, vulnerable, tricks[total]).astype(int) for bid in ("3NT", "2NT"))
        gains[total, vulnerable] = clustered_mean(ba.imps(three - two).astype(float), cluster=None)
gain = pd.concat(gains, names=["points", "vulnerable"]).droplevel(2)[["estimate", "low", "high"]]
pd.concat({f"vulnerable: {flag}": gain.xs(flag, level=1) for flag in (False, True)}, axis=1).round(2)

# %%
pays = {vulnerable: [n for n in TOTALS if gain.loc[(n, vulnerable), "low"] > 0] for vulnerable in (False, True)}
costs = {vulnerable: [n for n in TOTALS if gain.loc[(n, vulnerable), "high"] < 0] for vulnerable in (False, True)}
said = [
    f"{name} it clearly loses up to {max(costs[flag], default='none')} points and clearly wins from "
    f"{min(pays[flag], default='none')}"
    for flag, name in ((False, "not vulnerable"), (True, "vulnerable"))
]
Markdown(f"By these deals, {said[0]}; {said[1]}. Totals between are open: the interval holds zero.")

# %% [markdown]
# ## Does the split matter?
#
# Bower published how often 3NT makes by how the points are split (taigabridge.net, same conditions, the hand named
# first declares); they are estimates too. A thousand deals for each of six of his cells:

# %%
BOWER = {(12, 12): 41, (15, 9): 40, (20, 4): 29, (13, 12): 59, (18, 7): 55, (16, 10): 75}
cells = []
for (own, other), published in BOWER.items():
    hands = {seat: {"points": (points, points), "shape": FLAT} for seat, points in (("S", own), ("N", other))}
    won = tricks_of(ba.random_deals(1000, seed=28, hands=hands, where=no_major))
    cells.append(wilson([(won >= 9).sum()], [len(won)]).assign(split=f"{own} + {other}", published=published / 100))
split = pd.concat(cells).set_index("split")[["estimate", "low", "high", "published"]]
split["inside"] = split["published"].between(split["low"] - 0.005, split["high"] + 0.005)  # printed as whole numbers
split.round(3)

# %%
even, odd = split.loc["12 + 12"], split.loc["20 + 4"]
apart = bool(even["low"] > odd["high"])
Markdown(
    f"{split['inside'].sum()} of the {len(split)} published figures lie inside our intervals. With 24 points, "
    f"12 + 12 makes on {even['estimate']:.0%} and 20 + 4 on {odd['estimate']:.0%}"
    + (", and the intervals are apart." * apart)
    + (", which these deals cannot tell apart." * (not apart))
)

# %% [markdown]
# ## Which 25?
#
# Among the deals with 25 points, those above the median in *Fifths* (ace 4, king 2.8, queen 1.8, jack 1, ten .4, made
# for 3NT) and those below; those with a suit of five or six in either hand, and those without.

# %%
at25 = deals[25]
fifths = ba.hcp(at25, points="points-fifths")[:, [0, 2]].sum(axis=1)
long = ba.suit_lengths(at25[:, [0, 2]]).max(axis=(1, 2)) >= 5
kinds = {
    "Fifths above the median": fifths > np.median(fifths),
    "Fifths not above it": fifths <= np.median(fifths),
    "a suit of five or six": long,
    "no such suit": ~long,
}
nine = tricks[25] >= 9
which = pd.DataFrame([(nine[part].sum(), part.sum()) for part in kinds.values()], [*kinds], ["made", "deals"])
found = wilson(which["made"], which["deals"]).set_axis(which.index)
pd.concat([found[["estimate", "low", "high"]], which["deals"]], axis=1).round(3)

# %% [markdown]
# ## Answer

# %%
at = share.loc[25]
words = {1: "wins", 0: "is open", -1: "loses"}
verdict = {
    vulnerable: words[int(row["low"] > 0) - int(row["high"] < 0)]
    for vulnerable, row in ((flag, gain.loc[(25, flag)]) for flag in (False, True))
}
text = {
    flag: "{estimate:+.2f} IMPs, {low:+.2f} to {high:+.2f}".format(**gain.loc[(25, flag)]) for flag in (False, True)
}
Markdown(
    f"With 25 points between two flat hands and no fit in a major, nine tricks at no trump are there double dummy on "
    f"{at['estimate']:.0%} of the deals (95 % interval {at['low']:.0%} to {at['high']:.0%}; {made.loc[25, 'deals']} "
    f"deals). Against stopping in 2NT, bidding 3NT with them {verdict[False]} not vulnerable ({text[False]}) and "
    f"{verdict[True]} vulnerable ({text[True]})."
)
