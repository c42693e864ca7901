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
# # 04 · What the editions changed
#
# **The same results, scored by the law of 1943, by the law since 1987, and by three textbooks as they are printed: what
# becomes of the scores, of the comparison, and of the double?**
#
# What the answer cannot tell:
#
# - how they would have bid and doubled under another law. Players know the scale; only the arithmetic is changed here;
# - whether a textbook meant what it prints. Each is taken at its word, and where two disagree
#   `bridge_analytics/editions/README.md` says what was taken;
# - the codes before 1935, whose penalties grew with each trick.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown

import bridge_analytics as ba
from bridge_analytics import datasets, plots

season = ba.read_results("../data/season.parquet")
folder = os.environ.get("BRIDGE_ANALYTICS_EVENTS")  # a folder of real events; without it the generated season
plt.rcParams["figure.dpi"], pd.options.display.width = 85, 200
results, by = (datasets.load_events(folder), datasets.DEALS) if folder else (season, None)
NOW, BEFORE = "duplicate-1987", "duplicate-before-1987"
EDITIONS = [BEFORE, NOW, "duplicate-001", "duplicate-003"]
scored = {
    name: ba.score_results(results, by=by, edition=name, forms=("matchpoints", "cross_imps")) for name in EDITIONS
}
Markdown(
    "These are **real events**." if folder else "These are the results of a **generated season**: see `data/README.md`."
)

# %% [markdown]
# ## Data
#
# No edition differs in what an undoubled contract is worth, so that only doubled and redoubled contracts can change.
# What has no score is left out; what was passed out is compared.

# %%
now = scored[NOW]
times, classes = ba.split_contract(now["contract"])[2], ba.contract_class(now["contract"])
down = (now["score"] < 0).fillna(False).to_numpy(dtype=bool)
rows = {"results": now, "without a score (left out)": now[now["score"].isna()]}
rows |= {"doubled once": now[times == 1], "of these, down": now[(times == 1) & down]}
rows |= {"redoubled": now[times == 2], "of these, made": now[(times == 2) & ~down]}
pd.DataFrame([(len(part), part["deal_id"].nunique()) for part in rows.values()], [*rows], ["results", "deals"])

# %% [markdown]
# ## Method: the numbers that differ
#
# An edition is a file of numbers, each with its source. These differ from the law since 1987; penalties run by trick,
# [not vulnerable, vulnerable], and the last repeats. Text 000 prints the same numbers as that law, so it has no file.

# %%
differences = [ba.diff_editions(NOW, name).assign(edition=name) for name in EDITIONS if name != NOW]
table = pd.concat(differences)[["edition", "key", "a", "b"]].set_axis(["edition", "key", NOW, "here"], axis=1)
table.set_index(["edition", "key"]).map(str)

# %%
cells = pd.MultiIndex.from_product([[False, True], EDITIONS, range(11)], names=["vulnerable", "edition", "tricks"])
ladder = cells.to_frame(index=False).assign(contract="4SX")
for name in EDITIONS:
    own = ladder["edition"] == name
    ladder.loc[own, "score"] = ba.score("4SX", ladder["vulnerable"][own], ladder["tricks"][own], edition=name)
ladder["edition"] = ladder["edition"].str.removeprefix("duplicate-")
ax = plots.score_ladder(ladder)
ax.set_xlabel("4SX by edition, score of the declarer's side [points]")
ax.figure.set_size_inches(9, 4)

# %% [markdown]
# What a sacrifice can afford, doubled: the most undertricks that cost less than what the other side would have made
# exactly. This is what the change of 1987 was about: not vulnerable, the fourth undertrick and each after it cost 300.

# %%
asks = pd.MultiIndex.from_product([["4S", "6S", "7S"], [False, True], [False, True]])
asks = asks.to_frame(index=False, name=["they make", "they vulnerable", "we vulnerable"])
theirs = ba.score(asks["they make"], asks["they vulnerable"], asks["they make"].str[0].astype(int) + 6)
for name in EDITIONS:
    cost = np.array(
        [-ba.score("7CX", asks["we vulnerable"], 13 - undertricks, edition=name) for undertricks in range(1, 14)]
    )
    asks[name.removeprefix("duplicate-")] = (cost < theirs).sum(axis=0)
asks

# %% [markdown]
# ## What changes on the same results
#
# A score that changes also changes what the other tables of the deal get. Matchpoints are in percent of the top, IMPs
# are the mean against each other table.

# %%
changes = {}
for name in EDITIONS:
    points, percent, imps = (
        (scored[name][column] - now[column]).abs().astype(float) for column in ("score_ns", "pct_ns", "cross_imps_ns")
    )
    changes[name] = {
        "scores that change": (points > 0).sum(),
        "deals with one": now["deal_id"][points > 0].nunique(),
        "mean change of these [points]": points[points > 0].mean(),
        "results whose matchpoints change": (percent > 1e-9).sum(),
        "mean change of these [%]": percent[percent > 1e-9].mean(),
        "results whose IMPs change": (imps > 1e-9).sum(),
        "mean change of these [IMPs]": imps[imps > 1e-9].mean(),
    }
pd.DataFrame(changes).drop(columns=NOW).map("{:,.5g}".format)

# %% [markdown]
# ## What becomes of the double
#
# What the contracts that were doubled won for the defenders over the same tricks undoubled, under each edition. The
# last row of each class keeps today's law and goes back to the scale of IMPs before 1962. The deal is the unit.

# %%
paid = []
for kind in ("partscore", "game"):
    chosen = (times == 1) & (classes == kind) & now["score"].notna().to_numpy()
    for name, scale in [*((name, "imps-1962") for name in EDITIONS), (NOW, "imps-before-1962")]:
        part = scored[name][chosen]
        actions = {"pass": ba.what_if(part, doubled=0, edition=name), "double": part}
        options = {"by": "deal_id", "form": "imps", "side": "defenders", "weights": "result", "imp_scale": scale}
        label = name.removeprefix("duplicate-") if scale == "imps-1962" else "1987, IMPs before 1962"
        paid.append(ba.compare(actions, **options).assign(within=f"{kind}, {label}"))
paid = pd.concat(paid, ignore_index=True)
ax = plots.forest(paid)
ax.figure.set_size_inches(7, 4)

# %% [markdown]
# These intervals are wide because doubles come out so differently. The difference between two editions is taken on the
# *same* results, and far better known: what the defenders of all doubled and redoubled contracts get over today's law.

# %%
either = np.isin(times, [1, 2]) & now["score"].notna().to_numpy()
shift = []
for form in ("points", "imps"):
    options = {"by": "deal_id", "form": form, "side": "defenders", "weights": "result"}
    tables = {name: scored[name][either] for name in [NOW, BEFORE, "duplicate-001", "duplicate-003"]}
    shift.append(ba.compare(tables, **options))
shift = pd.concat(shift, ignore_index=True)
columns = ["form", "estimate", "low", "high", "share_gained", "share_flat", "share_lost", "results", "boards"]
shift.set_index(["action"])[columns].round(3)

# %% [markdown]
# ## Does it find what is there?
#
# The generated season was bid and scored under the law since 1987, and under this law its truth is known: doubling the
# partscores that were doubled gained 76.6 points and 2.02 IMPs a result (`data/README.md`).

# %%
own = now if not folder else ba.score_results(season)
pays = own[(ba.split_contract(own["contract"])[2] == 1) & (ba.contract_class(own["contract"]) == "partscore")]
found = {}
for form, truth in (("points", 76.6), ("imps", 2.02)):
    options = {"by": "deal_id", "form": form, "side": "defenders", "weights": "result"}
    found[form, truth] = ba.compare({"pass": ba.what_if(pays, doubled=0), "double": pays}, **options)
pd.concat(found, names=["form", "truth"])[["estimate", "low", "high", "results", "boards"]].droplevel(2).round(2)

# %% [markdown]
# ## Answer

# %%
points = shift[shift["form"] == "points"].set_index("action")
text = {
    name: f"{row['estimate']:+.1f} points (95 % interval {row['low']:+.1f} to {row['high']:+.1f})"
    for name, row in points.iterrows()
}
many = changes[BEFORE]["scores that change"]
Markdown(
    f"By the law of 1943, {many:,} of {len(now):,} results ({many / len(now):.2%}), all doubled or redoubled, score "
    f"differently from today: the defenders of such contracts get {text[BEFORE]} against today's law, by text 001 as "
    f"printed {text['duplicate-001']}, by text 003 {text['duplicate-003']}. Whether it pays to double a partscore does "
    f"not hang on the edition: over the same tricks undoubled these doubles won between "
    f"{paid['estimate'][:4].min():.2f} and {paid['estimate'][:4].max():.2f} IMPs under all four, and every interval "
    f"lies between {paid['low'][:4].min():.2f} and {paid['high'][:4].max():.2f}."
)
