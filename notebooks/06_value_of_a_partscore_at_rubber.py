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
# # 06 · The value of a part-score at rubber
#
# **What is a part-score at rubber bridge worth beyond its points, and what is a game, or to be vulnerable?**
#
# A part-score counts nothing by itself: it is part of a game to come. How much is answered by a model: the same mix of
# results on every deal, whoever has whatever on the sheet, and from there it is exact arithmetic on 400 states.
#
# What the answer cannot tell:
#
# - how much better a side does because it *knows* its part-score: with 60 it stops in 2♣, which completes the game,
#   and the other side competes. Bidding that adapts is not in the mix, so part-scores are understated here;
# - what honours add: they are left out;
# - what is right at the table tonight. The mix is of generated duplicate results, see `data/README.md`.

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import HTML, Markdown

import bridge_analytics as ba
from bridge_analytics.display import rubber_sheet

plt.rcParams["figure.dpi"], pd.options.display.width = 85, 200

# %% [markdown]
# ## A rubber
#
# How a sheet looks: the first of the sample. Below the line trick points of contracts made, a rule under each game;
# above it all else.

# %%
sheet = ba.score_rubbers(ba.read_results("../data/rubbers.csv"))
HTML(rubber_sheet(sheet, rubber=0))

# %% [markdown]
# ## Data: the mix of results
#
# Contract, tricks and vulnerability of declarer's side, of all results of the generated season that have a score. One
# passed out leaves the rubber where it is.

# %%
season = ba.score_results(ba.read_results("../data/season.parquet"))
played = season[season["score"].notna()]
mix = played[["contract", "tricks", "vulnerable"]].value_counts(dropna=False).rename("weight").reset_index()
mix = mix[mix["weight"] > 0]
Markdown(
    f"{len(season):,} results, of which {len(season) - len(played):,} without a score are left out; "
    f"{len(mix):,} different outcomes."
)

# %% [markdown]
# ## What the states are worth
#
# The margin that North-South can expect from each state on, with no part-score on either side:

# %%
equity = ba.rubber_equity(mix)
bare = equity[(equity["part_ns"] == 0) & (equity["part_ew"] == 0)]
bare.drop(columns=["part_ns", "part_ew"]).round({"margin_ns": 1, "sd": 0, "win_ns": 3, "deals": 2})

# %% [markdown]
# The first game is worth a little more than the 350 of equal sides that make nothing but games (half of the premium of
# 700, since game all is level). The standard deviation says how little that decides: one rubber is mostly luck.
#
# ## What a part-score is worth
#
# The margin with a part-score less the margin without one, with no part-score on the other side.

# %%
alone = equity[equity["part_ew"] == 0]
names = {(0, 0): "love all", (1, 0): "we have a game", (0, 1): "they have a game", (1, 1): "game all"}
worth = alone.pivot_table(index="part_ns", columns=["games_ns", "games_ew"], values="margin_ns")
worth = (worth - worth.loc[0]).set_axis([names[games] for games in worth.columns], axis=1)
ax = worth.plot(marker="o", figsize=(7, 3.8), xlabel="our part-score [points]", ylabel="what it adds [points]")
ax.axhline(0, color="grey", linewidth=0.8)
worth.loc[[20, 30, 40, 60, 70, 90]].round(1)

# %% [markdown]
# Steps stand where one more trick-level completes the game: 40 lets 2♥ and 3♣ do it, 60 lets 2♣ and 1NT. What counts is
# what is left to bid.
#
# ## What it changes: a double that gives a game
#
# Two hearts doubled and made is a game, at rubber as at duplicate. What does declarer's side gain by the double if it
# makes and if it is one down, in expected final margin, and how sure must the doubler be?

# %%
rows = [(mine, theirs, part) for mine in (False, True) for theirs in (False, True) for part in (0, 40)]
mine, theirs, part = (np.array(column) for column in zip(*rows, strict=True))
seats = {"vulnerable": mine, "other_vulnerable": theirs, "part": part}
gain = {
    tricks: ba.rubber_value(equity, "2HX", tricks, **seats) - ba.rubber_value(equity, "2H", tricks, **seats)
    for tricks in (8, 7)
}
odds = pd.DataFrame({"we have a game": mine, "they have a game": theirs, "our part-score": part})
odds.assign(made=gain[8].round(1), one_down=gain[7].round(1), must_go_down=(gain[8] / (gain[8] - gain[7])).round(3))

# %% [markdown]
# With 40 on the sheet two hearts completes a game anyhow: the double then costs the trick points and the 50, not the
# game, and needs be right far less often.
#
# ## Does it find what is there?
#
# The sample rubbers were dealt from the same season, honours apart. The equations foresee their length and their
# spread; both numbers should lie near, within three standard errors of what was seen.

# %%
whole = ba.rubber_totals(sheet.drop(columns=["honours_seat", "honours_points"])).query("finished")
start = bare.iloc[0]
seen = {"deals": (whole["deals"], start["deals"]), "margin_ns": (whole["margin_ns"], start["margin_ns"])}
check = pd.DataFrame(
    [(name, len(one), one.mean(), one.std() / len(one) ** 0.5, truth) for name, (one, truth) in seen.items()],
    columns=["what", "rubbers", "mean", "standard error", "foreseen"],
)
check["within 3"] = (check["mean"] - check["foreseen"]).abs() < 3 * check["standard error"]
check.round(2)

# %% [markdown]
# ## How sure?
#
# Given the mix all this is exact. The mix itself was seen on 300 evenings; other evenings would have given another. So
# the evenings are drawn again, with replacement, 100 times, and the values found anew: where 95 of 100 lie.

# %%
outcomes = pd.MultiIndex.from_frame(mix[["contract", "tricks", "vulnerable"]])
place = outcomes.get_indexer(pd.MultiIndex.from_frame(played[["contract", "tricks", "vulnerable"]]))
evening = played["session"].cat.codes.to_numpy()
counts = np.zeros((evening.max() + 1, len(mix)))
np.add.at(counts, (evening, place), 1)
random, again = np.random.default_rng(6), []
for _ in range(100):
    drawn = random.multinomial(len(counts), np.full(len(counts), 1 / len(counts))) @ counts
    found = ba.rubber_equity(mix.assign(weight=drawn)[drawn > 0]).set_index(
        ["games_ns", "games_ew", "part_ns", "part_ew"]
    )["margin_ns"]
    again.append((found[0, 0, 60, 0] - found[0, 0, 0, 0], found[1, 1, 60, 0] - found[1, 1, 0, 0], found[1, 0, 0, 0]))
spread = pd.DataFrame(again, columns=["60 at love all", "60 at game all", "first game"]).quantile([0.025, 0.975])
spread.round(1)

# %% [markdown]
# ## Answer

# %%
low, high = worth.loc[60, "love all"], worth.loc[60, "game all"]
first = bare.iloc[2]["margin_ns"]
love, game, one = ((spread[name].iloc[0], spread[name].iloc[1]) for name in spread)
Markdown(
    f"Beyond its points a part-score of 60 is worth {low:.0f} points at love all ({love[0]:.0f} to {love[1]:.0f}), "
    f"{high:.0f} at game all ({game[0]:.0f} to {game[1]:.0f}), and the first game {first:.0f} ({one[0]:.0f} to "
    f"{one[1]:.0f}), beside a standard deviation of {start['sd']:,.0f} in a single rubber. Part-scores are "
    f"understated, since nobody in the mix bids to the score."
)
