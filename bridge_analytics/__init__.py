"""Scored contract-bridge deals as data: the laws as tables, fields compared, strategies weighed."""

from bridge_analytics.boards import board_dealer, board_vul, is_vulnerable
from bridge_analytics.breakdown import explain
from bridge_analytics.comparison import ascherman, board_a_match, cross_imps, matchpoints
from bridge_analytics.contracts import join_contract, parse_contract, split_contract, tricks_from_result, with_doubled
from bridge_analytics.datums import butler, datum
from bridge_analytics.imp_scale import imps
from bridge_analytics.laws import score_table
from bridge_analytics.notation import CONTRACTS, SEATS, VULS
from bridge_analytics.rules import Edition, diff_editions, editions, load_edition, show_edition
from bridge_analytics.scoring import contract_class, doubled_into_game, score, score_parts, tricks_from_score

__all__ = [
    "CONTRACTS",
    "SEATS",
    "VULS",
    "Edition",
    "ascherman",
    "board_a_match",
    "board_dealer",
    "board_vul",
    "butler",
    "contract_class",
    "cross_imps",
    "datum",
    "diff_editions",
    "doubled_into_game",
    "editions",
    "explain",
    "imps",
    "is_vulnerable",
    "join_contract",
    "load_edition",
    "matchpoints",
    "parse_contract",
    "score",
    "score_parts",
    "score_table",
    "show_edition",
    "split_contract",
    "tricks_from_result",
    "tricks_from_score",
    "with_doubled",
]
