"""What is measured against what, and the bar: how many times as quick, or what part of the peer's time, it must be.

To measure one thing more, write its peer in `peers.py` and add a line here. A peer that is slow for each row is run on
fewer rows; both times are divided by their rows.
"""

from functools import partial

import board_files
import hand_peers
import hand_samples
import pandas as pd
import peers
import result_files
import samples

import bridge_analytics as ba
from bridge_analytics import double_dummy
from bridge_analytics.par import par, par_score
from bridge_analytics.rubber import score_rubbers
from bridge_analytics.rubber_sheet import SHEET_COLUMNS


def score(sample):
    return ba.score(sample["contract"], sample["vulnerable"], sample["tricks"])


def score_text(sample):
    contract = ba.parse_contract(sample["contract"])
    return ba.score(contract, sample["vulnerable"], ba.tricks_from_result(contract, sample["result"]))


def imps(sample):
    return ba.imps(sample["difference"])


def matchpoints(sample):
    return ba.matchpoints(sample["score"], by=sample["board"])


def cross_imps(sample):
    return ba.cross_imps(sample["score"], by=sample["board"])


def butler(sample):
    return ba.butler(sample["score"], by=sample["board"])


def against_field(sample, *, form):
    return ba.against_field(sample["scored"], sample["other"]["score_ns"], form=form)


def compare(sample, *, form, weights):
    actions = {"other": sample["other"], "own": sample["scored"]}
    answer = ba.compare(actions, by="deal_id", form=form, side="declarer", weights=weights)
    return answer[["estimate", "se"]]


def standings(sample):
    ba.standings(sample["scored"], winners=2)


def random_deals(sample):
    ba.random_deals(sample["n"], seed=1)


def hcp(sample):
    return ba.hcp(sample["hands"])


def notrump_deals(sample):
    ba.random_deals(sample["n"], seed=1, hands={"N": {"points": (15, 17), "shape": "balanced"}})


def best_scores(sample):
    return par_score(**sample)


def best_contracts(sample):
    score, contracts = par(**sample)
    assert len(contracts) >= len(score)
    return score


def solve(sample):
    return double_dummy.tricks(sample["deals"])


def rubber_sheet(sample):
    sheet = score_rubbers(pd.DataFrame(sample, copy=False), split=True)
    return [sheet[name].array for name in SHEET_COLUMNS if name != "game"]  # words cannot be compared as numbers


def read_csv(sample):
    ba.read_results(sample["path"])


def read_tricks(sample):
    return ba.read_results(sample["path"])["tricks"].to_numpy(dtype=float)


def boards(size, *, shuffled=False):
    return partial(samples.field, size=size, shuffled=shuffled)


def text(kind):
    return partial(samples.words, kind=kind)


MILLION = 1_000_000
MANY = 300_000

# What is done, on which sample, of how many rows.
WORK = {
    "score, codes": (score, samples.cells, 4 * MILLION),
    "score, text: str": (score_text, text("str"), MILLION),
    "score, text: category": (score_text, text("category"), MILLION),
    "score, text: dictionary": (score_text, text("dictionary"), MILLION),
    "imps": (imps, samples.differences, 4 * MILLION),
    "matchpoints, 13 a board, shuffled": (matchpoints, boards(13, shuffled=True), MILLION),
    "matchpoints, 13 a board, in order": (matchpoints, boards(13), MILLION),
    "cross_imps, 10,000 a board": (cross_imps, boards(10_000), MILLION),
    "cross_imps, 10 a board": (cross_imps, boards(10), MILLION),
    "cross_imps, 22 a board": (cross_imps, boards(22), MILLION),
    "cross_imps, 60 a board": (cross_imps, boards(60), MILLION),
    "butler, 10 a board": (butler, boards(10), MILLION),
    "against_field, matchpoints": (partial(against_field, form="matchpoints"), samples.scored, MANY),
    "against_field, cross_imps": (partial(against_field, form="cross_imps"), samples.scored, MANY),
    "compare, imps, by result": (partial(compare, form="imps", weights="result"), samples.scored, MANY),
    "compare, imps, by board": (partial(compare, form="imps", weights="board"), samples.scored, MANY),
    "standings, one event": (standings, samples.event, 4 * MILLION),
    "score_rubbers, many": (rubber_sheet, samples.rubbers, MILLION),
    "score_rubbers, one long": (rubber_sheet, partial(samples.rubbers, long=True), MILLION),
    "random_deals": (random_deals, samples.number, MILLION // 10),
    "random_deals, 15-17 balanced": (notrump_deals, samples.number, MILLION // 10),
    "hcp": (hcp, hand_samples.hands, 4 * MILLION),
    "par_score": (best_scores, hand_samples.tables, MILLION),
    "par": (best_contracts, hand_samples.tables, MILLION),
    "double_dummy.tricks": (solve, hand_samples.deals, 10),
    "read results CSV": (read_csv, result_files.results_csv, MANY),
    "read PBN": (read_tricks, board_files.pbn, MILLION // 10),
    "read LIN": (read_tricks, board_files.lin, MILLION // 10),
}

# Against what, the bar ("≤": our time in the peer's, "≥": the peer's in ours, "": none), and the rows of the peer.
BARS = [
    ("score, codes", "copy floor", "≤ 7", peers.copy_floor, 4 * MILLION),
    ("score, codes", "np.where chain", "≥ 50", peers.where_chain, 4 * MILLION),
    ("score, codes", "endplay Contract.score", "≥ 1000", peers.endplay_contract, 20_000),
    ("score, text: str", "factorize + look-up", "≥ 1", peers.factorized_score, MILLION),
    ("score, text: category", "factorize + look-up", "≥ 1", peers.factorized_score, MILLION),
    ("score, text: dictionary", "factorize + look-up", "≥ 1", peers.factorized_score, MILLION),
    ("score, text: str", "str.extract alone", "", peers.text_extract, 100_000),
    ("score, text: category", "str.extract alone", "≥ 60", peers.text_extract, 100_000),
    ("imps", "searchsorted", "≥ 8", peers.searchsorted_imps, 4 * MILLION),
    ("imps", "a function a row", "≥ 200", peers.imps_by_row, 100_000),
    ("matchpoints, 13 a board, shuffled", "groupby.rank", "≥ 6", peers.group_rank, MILLION),
    ("matchpoints, 13 a board, in order", "groupby.rank", "≥ 3", peers.group_rank, MILLION),
    ("cross_imps, 10,000 a board", "all pairs by numpy", "≥ 500", peers.all_pairs, 10_000),
    ("cross_imps, 10 a board", "bisect loop", "≥ 40", peers.bisect_loop, 20_000),
    ("cross_imps, 22 a board", "bisect loop", "", peers.bisect_loop, 22_000),
    ("cross_imps, 60 a board", "bisect loop", "", peers.bisect_loop, 24_000),
    ("butler, 10 a board", "groupby.transform(function)", "≥ 80", peers.group_transform, 20_000),
    ("against_field, matchpoints", "our matchpoints", "≤ 2", peers.our_matchpoints, MANY),
    ("against_field, cross_imps", "our matchpoints", "≤ 2", peers.our_matchpoints, MANY),
    ("compare, imps, by result", "our matchpoints", "≤ 2", peers.our_matchpoints, MANY),
    ("compare, imps, by board", "our matchpoints", "≤ 2", peers.our_matchpoints, MANY),
    ("standings, one event", "our matchpoints, both sides", "≤ 3", peers.both_sides, 4 * MILLION),
    ("score_rubbers, many", "plain walker", "≥ 15", peers.rubber_walk, 100_000),
    ("score_rubbers, one long", "plain walker", "≥ 6", peers.rubber_walk, 100_000),
    ("random_deals", "endplay generate_deals", "≥ 150", peers.endplay_deals, 500),
    ("random_deals, 15-17 balanced", "endplay generate_deals", "≥ 500", hand_peers.endplay_notrump, 50),
    ("hcp", "endplay hcp", "≥ 10000", hand_peers.endplay_hcp, 2_000),
    ("par_score", "endplay par, score alone", "", hand_peers.endplay_par_score, 5_000),
    ("par", "endplay par, contracts as text", "≥ 200", hand_peers.endplay_par, 5_000),
    ("double_dummy.tricks", "one batch of DDS", "≥ 0.95", hand_peers.dds_batch, 10),
    ("read results CSV", "PyArrow, as text", "≤ 2", peers.arrow_text, MANY),
    ("read PBN", "endplay", "≥ 4", peers.endplay_pbn, 2_000),
    ("read PBN", "a tenth of the boards", "≤ 1.3", peers.our_reader, MILLION // 100),
    ("read LIN", "bridgebots", "≥ 4", peers.bridgebots_lin, 2_000),
    ("read LIN", "a tenth of the boards", "≤ 1.5", peers.our_reader, MILLION // 100),
]
