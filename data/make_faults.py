"""Make `session_faults.csv`: a club evening with exactly one fault of every check, and otherwise good rows.

Run from the project's root: `python data/make_faults.py`. All of it is generated: pairs, deals, contracts and results.
`session_faults.toml` is the layout under which every check of `bridge_analytics.checks.CHECKS` finds its one fault.
"""

import random
from pathlib import Path

import numpy as np

import bridge_analytics as ba
from bridge_analytics.cards import format_deals

FILE = Path(__file__).resolve().parent / "session_faults.csv"
SEED = 1927
TABLES, BOARDS = 9, 18
TITLE = "Tuesday evening (generated)"
CONTRACTS = ("1NT", "2H", "2S", "3C", "3D", "3NT", "3NT", "3NTX", "4H", "4H", "4S", "4S", "4SX", "5C", "6NT")
LEADS = ("SK", "H4", "DA", "C7", "ST", "HQ")

FAULTS = {
    # the check: what the cells of one good row become
    "bytes_unreadable": {"Remarks": "caf\udce9"},  # one byte of Latin-1 in a file of UTF-8
    "quotes_unreadable": {"Remarks": '"late'},
    "cells_miscounted": {"Deal": ","},
    "erased_unreadable": {"Erased": "perhaps"},
    "status_unreadable": {"Status": "finished"},
    "vul_unreadable": {"Vul": "red"},
    "contract_unreadable": {"Contract": "8S"},
    "seat_unreadable": {"By": "Q"},
    "tricks_unreadable": {"Tricks": "14", "Result": ""},
    "result_unreadable": {"Tricks": "", "Result": "+9"},
    "tricks_contradict": {"Result": "-6"},
    "status_contradicts": {"Status": "not played", "MP": ""},
    "board_missing": {"Board": "", "MP": ""},
    "vul_unknown": {"Board": "spacer", "Vul": "", "Dealer": ""},
    "contract_missing": {"Contract": "", "MP": ""},
    "declarer_missing": {"By": ""},
    "tricks_not_inferred": {"Tricks": "", "Result": "", "Score": "415", "EW Score": "-415"},
    "room_unreadable": {"Room": "attic"},
    "lead_unreadable": {"Lead": "S1"},
    "deal_unreadable": {"Deal": "N:AKQJ"},
    "number_unreadable": {"MP": "nine"},
    "score_sides": {"EW Score": "5"},
    "score_mismatch": {"Score": "430", "EW Score": "-430"},
    "mp_without_result": {
        "Contract": "NP",
        "By": "",
        "Tricks": "",
        "Result": "",
        "Score": "",
        "EW Score": "",
        "MP": "3",
    },
    "award_one_sided": {"Contract": "60%", "By": "", "Tricks": "", "Result": "", "Score": "", "EW Score": ""},
}


def good_rows() -> list[dict[str, str]]:
    """A Mitchell evening without a fault: NS stay, EW move up one table a round, the boards down one."""
    draw = random.Random(SEED)
    deals = [deal(draw) for _ in range(BOARDS)]
    rows = []
    for place in range(TABLES):
        for table in range(TABLES):
            for half in range(BOARDS // TABLES):
                number = 2 * ((table + place) % TABLES) + half + 1
                pair = TABLES + 1 + (table - place) % TABLES
                rows.append(row(draw, place + 1, table + 1, number, pair) | {"Deal": deals[number - 1]})
    points = [int(row["Score"]) for row in rows]
    for one, matchpoints in zip(rows, ba.matchpoints(points, by=[row["Board"] for row in rows]), strict=True):
        one["MP"] = f"{matchpoints:g}"
    return rows


def deal(draw: random.Random) -> str:
    """Deal 52 cards."""
    cards = list(range(52))
    draw.shuffle(cards)
    hands = [sum(1 << card for card in cards[seat::4]) for seat in range(4)]
    return str(format_deals(np.array([hands], np.uint64))[0])


def row(draw: random.Random, number_of_round: int, table: int, board: int, pair: int) -> dict[str, str]:
    """One good result, as the club's program writes it."""
    contract, declarer = draw.choice(CONTRACTS), draw.choice("NESW")
    result = draw.choice((-2, -1, -1, 0, 0, 0, 1, 1))
    tricks = min(6 + int(contract[0]) + result, 13)
    result = tricks - 6 - int(contract[0])
    vul = str(ba.board_vul(board))
    points = int(ba.score(contract, ba.is_vulnerable(vul, declarer), tricks)) * (1 if declarer in "NS" else -1)
    return {
        "Section": "A",
        "Table": str(table),
        "Round": str(number_of_round),
        "Board": str(board),
        "Room": "",
        "NS": str(table),
        "EW": str(pair),
        "Dealer": str(ba.board_dealer(board)),
        "Vul": vul,
        "Contract": contract,
        "By": declarer,
        "Tricks": str(tricks),
        "Result": f"{result:+d}" if result else "=",
        "Lead": draw.choice(LEADS),
        "Score": str(points),
        "EW Score": str(-points),
        "MP": "",
        "Status": "",
        "Erased": "False",
        "Remarks": "",
        "Deal": "",
    }


def faulty_rows() -> list[dict[str, str]]:
    """The evening with one fault of every check; each fault in a row of its own."""
    rows = good_rows()
    places = iter(random.Random(SEED).sample(range(len(rows)), len(FAULTS) + 4))
    for cells in FAULTS.values():
        rows[next(places)] |= cells
    mirrored = rows[next(places)]
    mirrored["Score"], mirrored["EW Score"] = mirrored["EW Score"], mirrored["Score"]  # score_sign
    typo = next(places)
    rows[typo]["NS"] = str(int(rows[typo]["NS"]) % TABLES + 1)  # twice_on_a_deal: the next pair's number
    erased, replaced = sorted(places, reverse=True)
    rows.insert(erased, rows[erased] | {"Contract": "7NT", "Erased": "True"})  # erased_row
    rows.insert(replaced, rows[replaced] | {"NS": "98", "EW": "99"})  # duplicate_row: the pairs were wrong
    return rows


def faulty_file() -> bytes:
    """The file: a title above the headers (text_skipped), then the rows, written without care for quotes."""
    rows = faulty_rows()
    lines = [TITLE, ",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    return ("\n".join(lines) + "\n").encode("utf-8", errors="surrogateescape")


if __name__ == "__main__":
    FILE.write_bytes(faulty_file())
