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
# # 05 · Bring your club's CSV
#
# **From the file that the scoring program writes to a ranking, and to how much of that ranking to believe.**
#
# What the answer cannot tell:
#
# - who plays better, from one evening. The last part shows how little one evening says;
# - what a row that cannot be read was meant to say. It is named, with a suggestion, and left to you;
# - why a pair did well: results alone do not tell bidding, play and luck apart.

# %%
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown

import bridge_analytics as ba
from bridge_analytics import plots
from bridge_analytics.inference import clustered_mean, clustered_ratio

folder = os.environ.get("BRIDGE_ANALYTICS_EVENTS")  # a folder of real events; without it a generated evening
file, by, winners = ("../data/session.csv", None, 2)  # your file here
if folder:
    file, by, winners = next(path for path in sorted(Path(folder).iterdir()) if path.is_file()), ["round", "board"], 1
plt.rcParams["figure.dpi"], pd.options.display.width = 85, 200
Markdown("This is a **real event**." if folder else "This is a **generated evening**: see `data/README.md`.")

# %% [markdown]
# ## 1 · Does the file say what you think?
#
# Reading repairs nothing. Here is a file with a fault of every kind; what is unusual about the way this club writes its
# files stands in a small layout, `session_faults.toml`. A row that is left out takes part in nothing that follows; the
# other faults are for you to judge.

# %%
readable, faults = ba.sift_results("../data/session_faults.csv", layout="../data/session_faults.toml")
counts = {"rows read": len(readable), "rows left out": faults.loc[faults["left_out"], "source_row"].nunique()}
counts |= {"faults": len(faults), "kinds of faults": faults["rule"].nunique()}
pd.Series(counts).to_frame("")

# %%
faults.loc[faults["source_row"].notna(), ["source_row", "column", "value", "expected"]].head(12)

# %% [markdown]
# Columns go by many names and contracts by many spellings; the common ones are known. The rest is a line each in a
# layout: which column holds what, the language, the decimal sign. A Spanish file, say:

# %%
contracts = {"Contrato": ["3ST", "4P", "2TX"], "Por": ["S", "N", "O"], "Res": ["=", "-1", "-2"]}
spanish = pd.DataFrame({"Mano": [1, 1, 2], "NS": [1, 2, 3], "EO": [4, 5, 6], **contracts})
meaning = {"Mano": "board", "EO": "ew", "Contrato": "contract", "Por": "declarer", "Res": "result"}
evening = ba.read_results(spanish, layout={"locale": "es", "columns": meaning})
evening[["board", "ns", "ew", "dealer", "vul", "contract", "declarer", "tricks"]]

# %% [markdown]
# ## 2 · Score the evening
#
# `read_results` refuses a file in which a row cannot be read. `score_results` compares all tables of a deal: score
# everything first, choose afterwards. Percentages, IMPs against the datum, and IMPs against each other table at once:

# %%
results = ba.read_results(file)
if folder:  # four players a table: a pair is two names, wherever it sits
    for side, seats in (("ns", ["north", "south"]), ("ew", ["east", "west"])):
        two = np.sort(results[seats].astype("str").fillna("?"), axis=1)
        results[side] = pd.Series(two[:, 0] + "-" + two[:, 1], results.index).astype("category")
scored = ba.score_results(results, by=by, forms=("matchpoints", "butler", "cross_imps"))
rows = {"results": scored, "passed out": scored[scored["status"] == "passed"]}
rows |= {"without a score (not compared)": scored[scored["score_ns"].isna()]}
pd.DataFrame([(len(part), part["deal_id"].nunique()) for part in rows.values()], [*rows], ["results", "deals"])

# %% [markdown]
# The traveller of the first deal, and the first places:

# %%
traveller = ["board", "vul", "contract", "declarer", "tricks", "score_ns", "pct_ns", "butler_ns", "cross_imps_ns"]
first = scored[scored["deal_id"] == 0].sort_values("score_ns", ascending=False)
first[traveller].round(1).head(13)

# %%
forms = {"matchpoints": "percent", "butler": "average", "cross_imps": "average"}
ranked = {form: ba.standings(scored, form=form, winners=winners).set_index(["side", "contestant"]) for form in forms}
table = pd.concat({form: ranked[form][column] for form, column in forms.items()}, axis=1)
ranked["matchpoints"][["place", "boards"]].join(table).round(2).head(13)

# %% [markdown]
# ## 3 · How sure is it?
#
# A percentage is a mean over boards, and boards swing widely. The same pairs with their intervals, the board as the
# unit:

# %%
names, both = ["pair", "percent", "deal_id", "session"], {}
for side in ("ns", "ew"):
    both[side] = scored[[side, f"pct_{side}", "deal_id", "session"]].set_axis(names, axis=1)
rated = pd.concat(both).dropna(subset=["percent"])
sure = clustered_mean(rated["percent"] - 50, cluster=rated["deal_id"], within=rated["pair"].astype("str"))
shown = ranked["matchpoints"].index.get_level_values("contestant")[:13].astype("str")
ax = plots.forest(sure.set_index("within").loc[shown].reset_index())
ax.set(xlabel="over the average [% of the top]", ylabel="pair")
ax.figure.set_size_inches(6, 4)

# %% [markdown]
# Where intervals overlap, they do not say that the pairs are equal. They say that these boards cannot tell.
#
# ## 4 · Does it find what is there?
#
# The generated season has what no club has: the true skill of each pair (`data/season_pairs.csv`), and the double-dummy
# tricks of each contract. In its `play`, a pair is so many tricks a board better than its opponents. Do the tricks show
# it? Declarer's tricks less the double-dummy tricks, less the mean of that level, against the difference in `play`
# between declarer and defenders: the slope should be 1.

# %%
season = ba.score_results(ba.read_results("../data/season.parquet"), forms=("matchpoints", "cross_imps"))
play = pd.read_csv("../data/season_pairs.csv").set_index("pair")["play"]
won = season[season["status"] == "played"]
error = (won["tricks"] - won["dd_tricks"]).astype(float)
ours, theirs = (won[side].astype("str").map(play) for side in ("ns", "ew"))
better = (ours - theirs) * np.where(won["declarer"].isin(["N", "S"]), 1, -1)
left = error - error.groupby(ba.split_contract(won["contract"])[0]).transform("mean")
slope = clustered_ratio(left * better, better**2, cluster=won["deal_id"])
offset = clustered_mean(error, cluster=won["deal_id"])
check = pd.concat({("tricks won a trick of play", 1.0): slope, ("tricks - double dummy, mean", 0.069): offset})
check.rename_axis(["", "truth", None]).reset_index("truth")[["truth", "estimate", "low", "high", "results"]].droplevel(
    1
)

# %% [markdown]
# So a season finds it. And an evening? Each dot is a pair: how much better it truly plays, and what it scored, on one
# evening and in the season.

# %%
both = {}
for side in ("ns", "ew"):
    both[side] = season[[side, f"pct_{side}", "deal_id", "session"]].set_axis(names, axis=1)
career = pd.concat(both).astype({"pair": "str", "session": "str"})
figure, panels = plt.subplots(1, 2, figsize=(8, 3.6), sharey=True, layout="constrained")
for ax, part, title in zip(
    panels, [career[career["session"] == "1"], career], ["one evening", "300 evenings"], strict=True
):
    means = clustered_mean(part["percent"], cluster=part["deal_id"], within=part["pair"]).set_index("within")
    bars = means["estimate"] - means["low"]
    ax.errorbar(play[means.index], means["estimate"], bars, fmt="o", color="#0072B2", ecolor="0.7", markersize=4)
    ax.set(xlabel="true play [tricks a board]", title=title)
_ = panels[0].set_ylabel("score with its interval [%]")

# %% [markdown]
# How alike are two evenings of one pair? The variance of a percentage is that between pairs and that of luck; the
# evening's reliability is the share of the first.

# %%
evenings = career.groupby(["pair", "session"])["percent"].agg(["mean", "size"])
mean = evenings["mean"].groupby("pair").agg(["mean", "size", "var"])
luck = (mean["var"] * (mean["size"] - 1)).sum() / (mean["size"] - 1).sum()
between = max(mean["mean"].var() - (luck / mean["size"]).mean(), 0.0)
reliability = between / (between + luck)
boards = evenings["size"].mean()
half = boards * luck / between
figures = {"sd between pairs [%]": between**0.5, "sd of an evening's luck [%]": luck**0.5}
figures |= {"reliability of an evening": reliability, "boards for a reliability of one half": half}
pd.Series(figures).map("{:.2f}".format).to_frame("generated season")

# %% [markdown]
# ## Answer

# %%
winner = sure.set_index("within").loc[shown[0]]
low, high = 50 + winner["low"], 50 + winner["high"]
Markdown(
    f"The winner had {50 + winner['estimate']:.1f} % on {winner['results']:.0f} boards, with a 95 % interval of "
    f"{low:.1f} % to {high:.1f} %, which takes no account of the pair having been picked because it came first. In the "
    f"generated season, where the truth is known, an evening of {boards:.0f} boards has a reliability "
    f"of {reliability:.2f} and a ranking takes about {half:,.0f} boards to be as much skill as luck, though over the "
    f"season a trick of better play shows as {slope['estimate'][0]:.2f} tricks "
    f"({slope['low'][0]:.2f} to {slope['high'][0]:.2f})."
)
