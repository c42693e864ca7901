"""Scored contract-bridge deals as data: the laws as tables, fields compared, strategies weighed."""

from bridge_analytics.auctions import double_kind
from bridge_analytics.audit import selection_audit, selection_balance
from bridge_analytics.boards import board_dealer, board_vul, is_vulnerable
from bridge_analytics.breakdown import explain
from bridge_analytics.cards import check_deals, deal_hash, format_deals, format_hands, parse_deals, parse_hands
from bridge_analytics.checks import ResultsError
from bridge_analytics.chicago import score_chicago
from bridge_analytics.comparison import ascherman, board_a_match, cross_imps, matchpoints
from bridge_analytics.contracts import join_contract, parse_contract, split_contract, tricks_from_result, with_doubled
from bridge_analytics.contrasts import compare, compare_with_field
from bridge_analytics.counterfactuals import against_field, what_if
from bridge_analytics.datums import butler, datum
from bridge_analytics.deal_files import read_deals, write_deals
from bridge_analytics.deals import random_deals
from bridge_analytics.decision import break_even, decision_table
from bridge_analytics.distribution import distribution_points, length_points, point_parts, total_points
from bridge_analytics.features import hand_features
from bridge_analytics.formats.pbn_export import write_pbn
from bridge_analytics.hands import controls, kaplan_rubens, losers, new_losers, quick_tricks, stoppers, suit_quality
from bridge_analytics.identity import deal_ids
from bridge_analytics.imp_scale import imps
from bridge_analytics.laws import score_table
from bridge_analytics.leads import lead_kinds, opening_leads
from bridge_analytics.matching import matched, matched_cells
from bridge_analytics.mixes import shifted_mixes
from bridge_analytics.movements import check_movement, howell, mitchell
from bridge_analytics.notation import CONTRACTS, SEATS, VULS
from bridge_analytics.openings import rule_of_20, zar_points
from bridge_analytics.places import places
from bridge_analytics.points import bergen_points, hcp, side_hcp
from bridge_analytics.policies import POLICIES, policy
from bridge_analytics.rankings import decisive_boards, standings_by_form
from bridge_analytics.results import check_results, read_results, score_results, sift_results
from bridge_analytics.rooms import team_boards
from bridge_analytics.rubber import rubber_totals, score_rubbers
from bridge_analytics.rubber_equity import rubber_equity, rubber_value
from bridge_analytics.rules import Edition, diff_editions, editions, load_edition, show_edition
from bridge_analytics.scoring import contract_class, doubled_into_game, score, score_parts, tricks_from_score
from bridge_analytics.shapes import is_balanced, shape, suit_lengths
from bridge_analytics.specification import specification_curve
from bridge_analytics.standings import standings
from bridge_analytics.strategy import STUDIES, study
from bridge_analytics.table import concat_results
from bridge_analytics.teams import team_match, team_standings
from bridge_analytics.victory_points import percent_to_vp, victory_points

__all__ = [
    "CONTRACTS",
    "POLICIES",
    "SEATS",
    "STUDIES",
    "VULS",
    "Edition",
    "ResultsError",
    "against_field",
    "ascherman",
    "bergen_points",
    "board_a_match",
    "board_dealer",
    "board_vul",
    "break_even",
    "butler",
    "check_deals",
    "check_movement",
    "check_results",
    "compare",
    "compare_with_field",
    "concat_results",
    "contract_class",
    "controls",
    "cross_imps",
    "datum",
    "deal_hash",
    "deal_ids",
    "decision_table",
    "decisive_boards",
    "diff_editions",
    "distribution_points",
    "double_kind",
    "doubled_into_game",
    "editions",
    "explain",
    "format_deals",
    "format_hands",
    "hand_features",
    "hcp",
    "howell",
    "imps",
    "is_balanced",
    "is_vulnerable",
    "join_contract",
    "kaplan_rubens",
    "lead_kinds",
    "length_points",
    "load_edition",
    "losers",
    "matched",
    "matched_cells",
    "matchpoints",
    "mitchell",
    "new_losers",
    "opening_leads",
    "parse_contract",
    "parse_deals",
    "parse_hands",
    "percent_to_vp",
    "places",
    "point_parts",
    "policy",
    "quick_tricks",
    "random_deals",
    "read_deals",
    "read_results",
    "rubber_equity",
    "rubber_totals",
    "rubber_value",
    "rule_of_20",
    "score",
    "score_chicago",
    "score_parts",
    "score_results",
    "score_rubbers",
    "score_table",
    "selection_audit",
    "selection_balance",
    "shape",
    "shifted_mixes",
    "show_edition",
    "side_hcp",
    "sift_results",
    "specification_curve",
    "split_contract",
    "standings",
    "standings_by_form",
    "stoppers",
    "study",
    "suit_lengths",
    "suit_quality",
    "team_boards",
    "team_match",
    "team_standings",
    "total_points",
    "tricks_from_result",
    "tricks_from_score",
    "victory_points",
    "what_if",
    "with_doubled",
    "write_deals",
    "write_pbn",
    "zar_points",
]
