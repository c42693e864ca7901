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
# # 01 · How often does a doubled partscore pay?
#
# **And against what? "It pays" has no meaning without a comparison, so here is every one that the results allow, side
# by side, each with its weights and its uncertainty.**
#
# What the answer cannot tell:
#
# - what a double is worth on a deal picked at random. Players double when it looks good, and no comparison undoes that;
# - what became of doubles that were taken out, and whether a double was for penalties: only final contracts are known;
# - whether *your* double pays. The average double is not the doubtful one (section 5).
#
# This notebook runs on a folder of real events, named in the environment variable `BRIDGE_ANALYTICS_EVENTS`, else on
# the generated season. The events that it was executed on are 48 championships of 2004 to 2018. To get them (10 MB,
# once; needs the extra `data`):
#
# ```python
# from bridge_analytics import datasets
# print(datasets.valet())    # the folder to name
# ```

# %%
import os

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown, display

import bridge_analytics as ba
from bridge_analytics import datasets, plots
from bridge_analytics.inference import clustered_mean
from bridge_analytics.selection import CODES

folder = os.environ.get("BRIDGE_ANALYTICS_EVENTS")
season = ba.score_results(ba.read_results("../data/season.parquet"))
scored = ba.score_results(datasets.load_events(folder), by=datasets.DEALS) if folder else season
plt.rcParams["figure.dpi"], pd.options.display.width = 85, 200
pd.options.display.max_colwidth, pd.options.display.float_format = 100, "{:,.3f}".format
Markdown(
    "These are **real events**." if folder else "These are the results of a **generated season**: see `data/README.md`."
)

# %% [markdown]
# ## 1 · Data
#
# A deal is a board of one round of one event. "Partscore" is by the bid: 2♠ doubled is a partscore, though it counts as
# a game when it makes. Redoubled contracts answer another question and stand apart. The vulnerability of the events
# follows from the number of the board; scores that a director adjusted were left out by their source.

# %%
partscore = ba.contract_class(scored["contract"]) == "partscore"
times = ba.split_contract(scored["contract"])[2]
doubled = scored[partscore & (times == 1) & scored["score"].notna()]
rows = {
    "results": scored,
    "without a score (left out)": scored[scored["score"].isna()],
    "passed out (only part of the field)": scored[scored["status"] == "passed"],
    "deals with any double": scored[scored["deal_id"].isin(scored["deal_id"][times > 0])],
    "partscores": scored[partscore],
    "partscores, undoubled": scored[partscore & (times == 0)],
    "partscores, doubled once": doubled,
    "of these, below game when made": doubled[~ba.doubled_into_game(doubled["contract"])],
    "partscores, redoubled (apart)": scored[partscore & (times == 2)],
}
table = pd.DataFrame([(len(part), part["deal_id"].nunique()) for part in rows.values()], [*rows], ["results", "deals"])
table.map("{:,}".format)

# %% [markdown]
# ## 2 · The trap: results are not independent
#
# All tables of a deal hold the same cards. If the cards lie badly for 2♠, they do so at every table where it was
# doubled. What was sampled is the deal, and the standard error must know it. Taken row by row, the same mean looks
# far more certain than it is:

# %%
undoubled = ba.what_if(doubled, doubled=0)
sign = np.where(doubled["declarer"].isin(["N", "S"]), -1, 1)
gain = ba.imps(sign * (doubled["score_ns"] - undoubled["score_ns"]).astype(int)).astype(float)
down = (doubled["score"] < 0).astype(float)
units = {"the result (wrong)": None, "the deal": doubled["deal_id"]}
units |= {"the event": doubled["event"]} if folder else {"the evening": doubled["session"]}
trap = {
    (what, unit): clustered_mean(values, cluster=cluster)
    for what, values in {"went down": down, "IMPs over the same tricks undoubled": gain}.items()
    for unit, cluster in units.items()
}
columns = ["estimate", "se", "low", "high", "results", "clusters", "design_effect"]
pd.concat(trap, names=["", "unit"])[columns].droplevel(2)

# %% [markdown]
# ## 3 · Every comparison side by side
#
# | estimand | it compares the doubles with |
# |---|---|
# | `same_tricks` | the same contracts with the same tricks, undoubled: what the double itself won, where it was made |
# | `against_field` | all other tables of the deal: the whole auction and play, not the double alone |
# | `matched` | tables of the same deal in the same contract by the same declarer that were not doubled |
# | `policy` | what was not doubled: as if everybody had doubled every partscore |
#
# Weights are part of the question. By `result` a deal with nine doubles counts nine times, by `board` once. Matched
# cells count once each, or as often as they were `doubled`, or `undoubled`. All gains are those of the defenders.

# %%
answers = ba.study("doubled-partscores", scored)
whole = answers[answers["within"].isna() & (answers["action"] != "redoubled")]
numbers = ["estimate", "se", "low", "high", "share_gained", "share_lost", "results", "boards", "design_effect"]
display(whole.set_index(["estimand", "form", "weights"])[numbers])
cells = whole.set_index("estimand")["method"]["matched"].iloc[0].split(" cells")[0]
Markdown(f"The matched results are in {cells} cells of deal, contract and declarer.")

# %%
NAMES = {"same_tricks": "same tricks undoubled", "matched": "same contract"}
NAMES |= {"against_field": "field", "policy": "everybody doubles"}
UNITS = {"imps": "", "cross_imps": ", cross-IMPs", "butler": ", Butler"}
shown = whole[whole["form"].isin(UNITS)]
named = shown["estimand"].map(NAMES) + shown["form"].map(UNITS)
ax = plots.forest(shown.assign(estimand=named, form="imps").drop(columns=["action", "against"]))
ax.set_xlabel("gain of the defenders [IMPs]")
ax.figure.set_size_inches(7.5, 4.6)


# %%
def row_of(estimand, form, weights):
    """The row of one estimate."""
    return whole[(whole["estimand"] == estimand) & (whole["form"] == form) & (whole["weights"] == weights)].iloc[0]


def said(estimand, form, weights):
    """An estimate in words."""
    row = row_of(estimand, form, weights)
    return f"{row['estimate']:+.2f} IMPs ({row['low']:+.2f} to {row['high']:+.2f})"


made, not_made = row_of("matched", "imps", "doubled"), row_of("matched", "imps", "undoubled")
turns = bool(made["low"] > 0 and not_made["high"] < 0)
imps = whole[whole["form"].isin(UNITS)]
widest = (imps["high"] - imps["low"]).max()
Markdown(
    f"By result, the same doubles come to {said('same_tricks', 'imps', 'result')} over their own tricks and to "
    f"{said('against_field', 'cross_imps', 'result')} over the field. Against tables in the same contract the weights "
    f"decide{' the sign' * turns}: {said('matched', 'imps', 'doubled')} where it was doubled, "
    f"{said('matched', 'imps', 'undoubled')} where it was not. Doubling every partscore: "
    f"{said('policy', 'imps', 'result')}. None of these is *the* effect; which one answers depends on the question. "
    f"They lie from {imps['estimate'].min():+.2f} to {imps['estimate'].max():+.2f}, and the widest interval is "
    f"{widest:.2f} IMPs from end to end: the ends are further apart than any interval is wide, neighbours need not be."
)

# %% [markdown]
# What each leaves open (● holds, ? cannot be told from these data):

# %%
codes = whole.groupby("estimand", sort=False)["warnings"].first().str.split()
marks = {name: ["●" if code in codes[name] else "" for code in CODES] for name in codes.index}
table = pd.DataFrame(marks | {"meaning": [*CODES.values()]}, [*CODES])
if scored["deal"].isna().any():  # where the cards are not known, no one can say whether they come twice
    table.loc["S10", [*codes.index]] = table.loc["S10", [*codes.index]].replace("", "?")
table.loc["S11", [*codes.index]] = "●"  # several questions, here
table

# %%
unknown = scored.loc[scored["deal"].isna(), "deal_id"].nunique()
Markdown(
    f"S10: the cards of {unknown:,} of {scored['deal_id'].nunique():,} deals are not in the data, so whether cards "
    f"come twice is {'unknown there, which is not the same as no' if unknown else 'known'}. S11: all {len(whole)} "
    f"estimates above, the {len(answers) - len(whole)} of sections 4 and 5 and the curve of section 6 come from the "
    "same results. They are not so many independent answers, and each interval stands alone, with no allowance for the "
    "number of questions."
)

# %% [markdown]
# ## 4 · How often must it go down?
#
# Did it go down often enough? By vulnerability, and by whether the double makes a game of it: what happened, and what
# had to, from what these very doubles won when right and lost when wrong.

# %%
classes = answers[answers["within"].fillna("").str.contains("game")].set_index("within")
went, needed = (classes[classes["estimand"] == name] for name in ("goes_down", "break_even"))
limits = ["estimate", "low", "high"]
pd.concat({"went down": went[limits], "had to": needed[limits], "": went[["results", "boards"]]}, axis=1)

# %% [markdown]
# ## 5 · The average double is not the marginal one
#
# Where everybody doubles, the double is obvious. The doubtful one is made by one table alone, and it gains less:

# %%
marginal = answers[answers["within"].fillna("").str.contains("on the deal") & (answers["weights"] == "result")]
marginal = marginal.assign(within=marginal["within"].str.replace(" doubled on the deal", ""))
display(marginal.pivot_table(index="within", columns="estimand", values="estimate", sort=False))
imps = marginal[marginal["form"].isin(UNITS)]
named = imps.assign(estimand=imps["estimand"].map(NAMES), form="imps").drop(columns=["action", "against"])
ax = plots.forest(named)
ax.set(xlabel="gain of the defenders [IMPs]", ylabel="compared with, tables that doubled")
ax.figure.set_size_inches(7.5, 3.6)

# %% [markdown]
# Redoubled partscores, apart:

# %%
redoubled = answers[answers["action"] == "redoubled"]
redoubled.set_index(["estimand", "form", "weights"])[["estimate", "low", "high", "results", "boards"]]

# %% [markdown]
# ## 6 · Does the answer hang on a choice?
#
# The same question under every choice of comparison, weights, datum, with or without redoubled contracts and passed-out
# deals in the field:

# %%
curve = ba.specification_curve(scored)
ax = plots.specification_curve(curve.drop(columns=["action", "against"]))
ax.set_ylabel("gain of the defenders [IMPs]")
ax.figure.set_size_inches(6.5, 6.4)

# %% [markdown]
# Who doubled, and when? Some measures of how these doubles came about (`selection_audit` has them all):

# %%
audit = ba.selection_audit(scored, partscore)
audit = audit[audit["code"].isin(["S1", "S2", "S5", "S6", "S7", "S13", "S15"])].set_index(["code", "measure"])
audit[["count", "of", "share", "value"]].astype({"count": "Int64", "of": "Int64"})

# %% [markdown]
# ## 7 · Does it find what is there?
#
# In the generated season the truth is known (`data/README.md`): with the luck unchanged, the double gained 76.6 points
# and 2.02 IMPs a result on the partscores that were doubled, and would have lost 306.4 points and 6.01 IMPs on those
# that were not. There a double gives declarer a tenth of a trick, which an account with the *same* tricks overlooks. So
# take once in ten one trick off the undoubled contract, or add one to the doubled.


# %%
def gained(part, off, form):
    """What the double of each contract won, if it costs so many tricks."""
    sign, was = np.where(part["declarer"].isin(["N", "S"]), -1, 1), ba.split_contract(part["contract"])[2]
    double = ba.what_if(part, doubled=1, tricks=(part["tricks"] + off * (1 - was)).clip(0, 13))["score_ns"]
    plain = ba.what_if(part, doubled=0, tricks=(part["tricks"] - off * was).clip(0, 13))["score_ns"]
    points = sign * (double - plain).astype(int)
    return np.asarray(ba.imps(points) if form == "IMPs" else points, float)


def with_a_tenth(part, form):
    """The mean of that, if it costs a trick once in ten times."""
    return clustered_mean(0.9 * gained(part, 0, form) + 0.1 * gained(part, 1, form), cluster=part["deal_id"])


parts = season[ba.contract_class(season["contract"]) == "partscore"]
was = ba.split_contract(parts["contract"])[2]
truth = {("doubled", "points"): 76.6, ("doubled", "IMPs"): 2.02}
truth |= {("undoubled", "points"): -306.4, ("undoubled", "IMPs"): -6.01}
found = {}
for (group, form), number in truth.items():
    part = parts[was == (group == "doubled")]
    found[group, form, "same tricks", number] = clustered_mean(gained(part, 0, form), cluster=part["deal_id"])
    found[group, form, "a tenth more", number] = with_a_tenth(part, form)
check = pd.concat(found, names=["partscores", "form", "declarer takes", "truth"]).droplevel(4).reset_index("truth")
check["inside"] = check["truth"].between(check["low"], check["high"])
check[["truth", "estimate", "low", "high", "results", "inside"]]

# %% [markdown]
# Taking the same tricks for granted is harmless for the doubles that were made, and wrong for the blanket rule: on tens
# of thousands of contracts a tenth of a trick shows.
#
# And the matched comparison? In the season a double within a cell is the toss of a coin: there it is an experiment. It
# gives less than 2.02 IMPs not because it is wrong but because it speaks of other doubles, those on which tables
# disagreed. On the doubled results *of these cells* the two ways agree:

# %%
cell = parts.groupby(["deal_id", "declarer", parts["contract"].astype("str").str.rstrip("X")], observed=True)
disputed = parts[(cell["contract"].transform("nunique") > 1) & (was == 1)]
fair = ba.matched(parts, side="defenders", weights="doubled", forms=("imps",))
both = {"matched tables": fair, "with a tenth of a trick": with_a_tenth(disputed, "IMPs")}
pd.concat(both).droplevel(1)[["estimate", "low", "high"]]

# %% [markdown]
# ## Answer

# %%
share = whole.iloc[0]
Markdown(
    f"Doubled partscores went down {share['estimate']:.1%} of the time (95 % interval {share['low']:.1%} to "
    f"{share['high']:.1%}; {share['results']:,} results on {share['boards']:,} deals), and where they were made they "
    f"brought the defenders {said('same_tricks', 'imps', 'result')} a result over the same tricks undoubled, or "
    f"{said('same_tricks', 'imps', 'board')} by board, and {said('against_field', 'cross_imps', 'result')} over the "
    f"field. Where tables in the same contract disagreed, the double was worth {said('matched', 'imps', 'cell')} a "
    f"cell, {said('matched', 'imps', 'doubled')} where it was made and {said('matched', 'imps', 'undoubled')} where it "
    f"was not, and doubling every partscore would have brought {said('policy', 'imps', 'result')} a result."
)
