"""Auctions: the contract they end in, who declares it, and what is no auction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_analytics.calls import contract_of, read_calls
from bridge_analytics.notation import SEATS, STRAINS

AUCTIONS = [
    ("1S P 4S P P P", "N", "4S", "N"),
    ("P P P P", "E", "Pass", None),
    ("P 1H P 2H P 4H P P P", "S", "4H", "W"),  # the first of the side to name hearts
    ("1NT X P P P", "W", "1NTX", "W"),
    ("1C X XX P P P", "E", "1CXX", "E"),
    ("1C X XX 1S P P P", "E", "1S", "N"),  # a bid wipes out the redouble
    ("1H 2H P P P", "N", "2H", "E"),  # the other side named hearts too: it does not count
    ("P P 1D P P X XX P P P", "W", "1DXX", "E"),
]


@pytest.mark.parametrize(("auction", "dealer", "contract", "declarer"), AUCTIONS)
def test_an_auction_ends_in_its_contract(auction, dealer, contract, declarer):
    assert contract_of(auction.split(), SEATS.index(dealer)) == (contract, declarer)


@pytest.mark.parametrize(
    "auction",
    [
        *("", "P P P", "1S P P", "1S P P P P", "P P P P P"),  # not closed, or closed twice
        *("1S 1H P P P", "1S 1S P P P", "2C 1NT P P P"),  # not higher
        *("X P P P", "1S P X P P P", "1S X X P P P", "P X P P P"),  # a double of nothing, of partner, of a double
        *("XX P P P", "1S XX P P P", "1S X P XX P P P", "1S X XX XX P P P", "1S P P XX P P P"),
    ],
)
def test_what_is_against_the_laws_is_no_auction(auction):
    with pytest.raises(ValueError, match="expected"):
        contract_of(auction.split(), 0)


@pytest.mark.parametrize("texts", ["1N 1NT 1n 1Nt!", "d D x Dbl dbl! X!", "r XX rdbl", "p P Pass PASS!"])
def test_a_call_has_many_spellings(texts):
    assert len(set(read_calls(texts.split()))) == 1


def test_calls_may_stand_together():
    assert read_calls(["1C!2NT", "ppp"]) == ["1C", "2NT", "P", "P", "P"]


@pytest.mark.parametrize("text", ["", "8S", "1", "S1", "Q", "1Sq", "-"])
def test_what_is_no_call_is_refused_with_its_text(text):
    with pytest.raises(ValueError, match="expected calls such as '1NT', 'P', 'X', 'XX', got"):
        read_calls(["P", text])


def plain_contract(calls, dealer):
    """The contract of a legal auction, by looking back from its end."""
    bids = [turn for turn, call in enumerate(calls) if call not in ("P", "X", "XX")]
    if not bids:
        return "Pass", None
    last = bids[-1]
    strain = calls[last][1:]
    first = next(turn for turn in bids if calls[turn][1:] == strain and (turn - last) % 2 == 0)
    doubles = [call for call in calls[last + 1 :] if call != "P"]
    return calls[last] + (doubles[-1] if doubles else ""), SEATS[(dealer + first) % 4]


@st.composite
def legal_auctions(draw):
    calls, bid, bidder, double, passes = [], -1, 0, "", 0
    while passes < (4 if bid < 0 else 3):
        theirs = bid >= 0 and (len(calls) - bidder) % 2 == 1
        allowed = ["P", *(["X"] if theirs and not double else []), *(["XX"] if not theirs and double == "X" else [])]
        choice = draw(st.sampled_from([*allowed, *range(bid + 1, min(bid + 5, 35))]))
        passes = passes + 1 if choice == "P" else 0
        if isinstance(choice, int):
            bid, bidder, double = choice, len(calls), ""
            choice = f"{bid // 5 + 1}{STRAINS[bid % 5]}"
        elif choice != "P":
            double = choice
        calls.append(choice)
    return calls


@given(legal_auctions(), st.integers(0, 3))
def test_every_legal_auction_ends_as_seen_from_its_end(calls, dealer):
    assert contract_of(calls, dealer) == plain_contract(calls, dealer)
