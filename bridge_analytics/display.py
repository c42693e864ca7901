"""Pages as players know them, as HTML for a notebook and as text for a terminal: each is a module of its own.

Deals around the table, travellers, score cards, rankings, rubber sheets. Drawing computes nothing.
"""

from bridge_analytics.diagrams import deal, deal_text
from bridge_analytics.placings import ranking, ranking_text
from bridge_analytics.rubber_pages import rubber_sheet, rubber_sheet_text
from bridge_analytics.score_cards import score_card, score_card_text
from bridge_analytics.travellers import traveller, traveller_text

__all__ = [
    "deal",
    "deal_text",
    "ranking",
    "ranking_text",
    "rubber_sheet",
    "rubber_sheet_text",
    "score_card",
    "score_card_text",
    "traveller",
    "traveller_text",
]
