"""Files of whole boards, generated: random deals, an auction of one bid, cards played as the laws allow.

Three boards in ten are played to the last card, the others claimed after one to eleven tricks.
"""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import bridge_analytics as ba
from bridge_analytics.card_text import RANKS, SUITS

CARDS = [suit + rank for suit in SUITS for rank in RANKS]
_BITS = np.uint64(1) << np.arange(52, dtype=np.uint64)
_VUL_CYCLE, _PBN_VULS = "onebneboebonbone", ("None", "NS", "All", "EW")
_SUIT_SETS = np.array([0x1FFF << 13 * suit for suit in range(4)], np.uint64)


@cache
def boards(rows: int) -> dict[str, np.ndarray]:
    """What happened on each board; the dealer is that of its number, `stop` is how many cards were played."""
    draw = np.random.default_rng(7)
    number = np.arange(rows) % 36 + 1
    dealer, passes = (number - 1) % 4, draw.integers(0, 4, rows)
    sample = {"number": number, "dealer": dealer, "passes": passes, "declarer": (dealer + passes) % 4}
    sample |= {"level": draw.integers(1, 8, rows), "strain": draw.integers(0, 5, rows)}
    sample["deal"] = ba.random_deals(rows, seed=7)
    sample["cards"] = played(sample["deal"], sample["declarer"], sample["strain"], draw)
    sample["stop"] = np.where(draw.random(rows) < 0.3, 52, 4 * draw.integers(1, 12, rows))
    sample["claim"] = draw.integers(0, 14, rows)
    return sample


def played(deals: np.ndarray, declarer: np.ndarray, trumps: np.ndarray, draw: Any) -> np.ndarray:
    """Cards drawn one by one from the hand whose turn it is, in the suit led where that can be."""
    hands, row, leader = deals.copy(), np.arange(len(deals)), (declarer + 1) % 4
    cards = np.zeros((len(deals), 52), np.int8)
    for first in range(0, 52, 4):
        for place in range(4):
            seat = (leader + place) % 4
            allowed = hands[row, seat]
            if place:
                following = allowed & _SUIT_SETS[cards[:, first] // 13]
                allowed = np.where(following != 0, following, allowed)
            held = (allowed[:, None] & _BITS) != 0
            chosen = np.where(held, draw.random(held.shape, dtype=np.float32), -1).argmax(axis=1)
            cards[:, first + place] = chosen
            hands[row, seat] &= ~_BITS[chosen]
        trick = cards[:, first : first + 4]
        suit = trick // 13
        winner = (trick % 13 + 13 * (suit == suit[:, :1]) + 26 * (suit == trumps[:, None])).argmax(axis=1)
        leader = (leader + winner) % 4
    return cards


@cache
def lin(rows: int) -> dict[str, Any]:
    """A file of LIN with a board on each line; it is there as long as the sample is."""
    folder = TemporaryDirectory()
    path = Path(folder.name) / "boards.lin"
    sample = boards(rows)
    columns = [column.tolist() for column in sample.values()]
    rows_of = (dict(zip(sample, values, strict=True)) for values in zip(*columns, strict=True))
    path.write_text("".join(f"{_lin_board(row)}\n" for row in rows_of), encoding="utf-8")
    return {"path": path, "folder": folder}


def _lin_board(row: dict[str, Any]) -> str:
    number = row["number"]
    hands = ",".join(_lin_hand(row["deal"][seat]) for seat in (2, 3, 0))
    calls = ["p"] * row["passes"] + [f"{row['level']}{'CDHSN'[row['strain']]}!", "p", "p", "p"]
    tricks = (row["cards"][first : first + 4] for first in range(0, row["stop"], 4))
    pairs = [f"pn|s{number},w{number},n{number},e{number}|st||md|{'3412'[row['dealer']]}{hands},|rh||"]
    pairs += [
        f"ah|Board {number}|sv|{_VUL_CYCLE[(number - 1) % 16]}|",
        *(f"mb|{call}|" for call in calls),
        "pg||",
    ]
    pairs += ["".join(f"pc|{CARDS[card]}|" for card in trick) + "pg||" for trick in tricks]
    return "".join(pairs) + ("" if row["stop"] == 52 else f"mc|{row['claim']}|")


@cache
def pbn(rows: int) -> dict[str, Any]:
    """A file of PBN, a game a board with the tags of the standard; it is there as long as the sample is."""
    folder = TemporaryDirectory()
    path = Path(folder.name) / "boards.pbn"
    sample = boards(rows)
    sample = sample | {"deal": ba.format_deals(sample["deal"]), "cards": by_seat(sample)}
    columns = [column.tolist() for column in sample.values()]
    rows_of = (dict(zip(sample, values, strict=True)) for values in zip(*columns, strict=True))
    path.write_text("% PBN 2.1\n" + "".join(map(_pbn_game, rows_of)), encoding="utf-8")
    return {"path": path, "folder": folder}


def by_seat(sample: dict[str, np.ndarray]) -> np.ndarray:
    """The cards of each trick from the left of declarer on, as PBN has them."""
    cards, row = sample["cards"].copy(), np.arange(len(sample["cards"]))
    leader = np.zeros(len(row), int)
    for first in range(0, 52, 4):
        trick = sample["cards"][:, first : first + 4]
        cards[row[:, None], first + (leader[:, None] + np.arange(4)) % 4] = trick
        suit = trick // 13
        height = trick % 13 + 13 * (suit == suit[:, :1]) + 26 * (suit == sample["strain"][:, None])
        leader = (leader + height.argmax(axis=1)) % 4
    return cards


def _pbn_game(row: dict[str, Any]) -> str:
    number, strain = row["number"], ("C", "D", "H", "S", "NT")[row["strain"]]
    tags = {"Event": "Evening", "Site": "Hall", "Date": "2026.03.05", "Board": number}
    tags |= {seat: f"{seat} {number}" for seat in ("West", "North", "East", "South")}
    tags |= {"Dealer": "NESW"[row["dealer"]], "Vulnerable": _PBN_VULS["onbe".index(_VUL_CYCLE[(number - 1) % 16])]}
    tags |= {"Deal": row["deal"], "Scoring": "MP", "Declarer": "NESW"[row["declarer"]]}
    tags |= {"Contract": f"{row['level']}{strain}", "Result": row["claim"], "Auction": "NESW"[row["dealer"]]}
    calls = ["Pass"] * row["passes"] + [f"{row['level']}{strain}", "Pass", "Pass", "Pass"]
    tricks = (row["cards"][first : first + 4] for first in range(0, row["stop"], 4))
    lines = [f'[{tag} "{value}"]' for tag, value in tags.items()]
    lines += [" ".join(calls[first : first + 4]) for first in range(0, len(calls), 4)]
    lines += [f'[Play "{"ESWN"[row["declarer"]]}"]', *(" ".join(CARDS[card] for card in trick) for trick in tricks)]
    return "\n".join(["", *lines, *["*"][: row["stop"] != 52], ""])


def _lin_hand(hand: int) -> str:
    suits = ([RANKS[rank] for rank in range(13) if hand >> 13 * suit + rank & 1] for suit in (3, 2, 1, 0))
    return "".join(letter + "".join(ranks) for letter, ranks in zip(SUITS[::-1], suits, strict=True))
