"""Scored contract-bridge deals as data: the laws as tables, fields compared, strategies weighed."""

from bridge_analytics.boards import board_dealer, board_vul, is_vulnerable
from bridge_analytics.comparison import ascherman, board_a_match, butler, cross_imps, datum, imps, matchpoints
from bridge_analytics.contracts import join_contract, parse_contract, split_contract, tricks_from_result, with_doubled
from bridge_analytics.notation import CONTRACTS, SEATS, VULS
from bridge_analytics.rules import Edition, diff_editions, editions, load_edition
