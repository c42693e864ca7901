"""A whole event with every kind of ruling, worked out once more from the Laws, a result at a time and in fractions.

Nothing below the heading of the second part calls the package: scores, IMPs, comparisons, rulings and places are the
rule book's, in the plainest words. The first part makes the event.
"""

import math
import random
from fractions import Fraction

import pandas as pd
import pytest

from bridge_analytics.movements import mitchell
from bridge_analytics.results import read_results, score_results
from bridge_analytics.standings import standings

FULL = 13  # results of a full board, where Neuberg's formula is asked for
RULINGS = [  # North-South's and East-West's: under matchpoints, and where it differs under IMPs
    ("A+", "A-"),
    ("A-", "A+"),
    ("A+", "A+"),
    ("A", "A-"),
    ("65%", "35%", "+2 IMP", "-2.5 IMP"),
    ("620", "-620"),  # assigned
    ("-50", "50"),
    ("420*.7 -50*.3", "-420*.7 +50*.3"),  # weighted
    ("1430*25% 680*40% 650*20% -100*15%", "-1430*25% -680*40% -650*20% 100*15%"),
    ("400*.6 -50*.4", "-400"),  # split
    ("140", "-110*.5 90*.5"),
    ("A+", "-430"),  # an average for one side, a score for the other
    ("620*.5 170*.5", "A-"),
    ("A", None),  # nothing was ruled for East-West
]
FINES = pd.DataFrame(
    {
        "contestant": ["3", "4"],
        "side": ["ns", "ew"],
        "section": ["A", "B"],
        "session": ["2", "1"],
        "amount": [10, 1.5],
        "unit": ["% of top", "MP"],
        "reason": ["slow play", "a mobile telephone"],
    }
)
HANDICAPS = pd.DataFrame(
    {
        "contestant": ["1", "2", "5"],
        "side": ["ns", "ew", "ew"],
        "section": ["B", "A", "B"],
        "handicap": [5.0, 3.25, -2.0],
    }
)


def typed(imps):
    """The event as a club types it: two sections, two sessions, a table without opponents, a ruling here and there."""
    draw = random.Random(20260)
    plans = {"A": mitchell(5, boards_per_round=3, sit_out="ew"), "B": mitchell(6, even="skip", boards_per_round=3)}
    rows = []
    for session in ("1", "2"):
        for section, plan in plans.items():
            for place in plan.astype(object).itertuples(index=False):
                row = {"session": session, "section": section, "ns": place.ns, "ew": place.ew, "board": place.board}
                if pd.isna(place.ns) or pd.isna(place.ew):
                    rows.append(row | {"status": "sit_out"})
                elif draw.random() < 0.02:
                    rows.append(row | {"status": "not_played"})
                else:
                    level, strain, declarer = (
                        draw.randint(1, 6),
                        draw.choice(["C", "D", "H", "S", "NT"]),
                        draw.choice("NESW"),
                    )
                    contract = f"{level}{strain}{draw.choice(['', '', '', 'X', 'XX'])}"
                    tricks = min(13, max(0, 6 + level + draw.choice([-3, -2, -1, -1, 0, 0, 0, 1, 2])))
                    played = {"status": "played", "contract": contract, "declarer": declarer, "tricks": tricks}
                    if draw.random() < 0.06:
                        played = {"status": "passed", "contract": "Pass"}
                    rows.append(row | played)
    chosen = draw.sample([row for row in rows if row["status"] in ("played", "passed")], 2 * len(RULINGS))
    for row, ruling in zip(chosen, 2 * RULINGS, strict=True):
        ns, ew = ruling[2:] if imps and len(ruling) == 4 else ruling[:2]
        for name in ("contract", "declarer", "tricks"):
            row.pop(name, None)
        row |= {"status": "adjusted", "adjusted_ns": ns, "adjusted_ew": ew}
    return rows


def scored(rows, **options):
    table = read_results(pd.DataFrame(rows).astype({"tricks": "Int64"}))
    return score_results(table, by=["session", "board"], forms=("matchpoints", "butler", "cross_imps"), **options)


# By the book


def score_of(row):
    """Law 77, for North-South."""
    if row["status"] == "passed":
        return 0
    contract, declarer, tricks = row["contract"], row["declarer"], row["tricks"]
    level, bid = int(contract[0]), contract[1:]
    times = 4 if bid.endswith("XX") else 2 if bid.endswith("X") else 1
    strain = bid.rstrip("X")
    dealer_turn = (row["board"] - 1) % 16
    vulnerable = ("NS" if declarer in "NS" else "EW") in (["", "NS", "EW", "NS EW"] * 4)[
        (dealer_turn + dealer_turn // 4) % 4
    ]
    over = tricks - 6 - level
    if over < 0:
        down = -over
        if times == 1:
            points = -down * (100 if vulnerable else 50)
        else:
            steps = [200] + [300] * 12 if vulnerable else [100, 200, 200] + [300] * 10
            points = -sum(steps[:down]) * times // 2
    else:
        each = 20 if strain in "CD" else 30
        trick_score = (each * level + (10 if strain == "NT" else 0)) * times
        points = trick_score + ((500 if vulnerable else 300) if trick_score >= 100 else 50)
        points += {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0)
        points += {1: 0, 2: 50, 4: 100}[times]
        points += over * (each if times == 1 else 50 * times * (2 if vulnerable else 1))
    return points if declarer in "NS" else -points


def imps_for(points):
    """Law 78B."""
    steps = [
        20,
        50,
        90,
        130,
        170,
        220,
        270,
        320,
        370,
        430,
        500,
        600,
        750,
        900,
        1100,
        1300,
        1500,
        1750,
        2000,
        2250,
        2500,
    ]
    steps += [3000, 3500, 4000]
    won = sum(abs(points) >= step for step in steps)
    return won if points > 0 else -won


def ruled(word):
    """The outcomes that a ruling assigns, each with its weight; none where it is an average, a percentage or IMPs."""
    if word is None or word[0] == "A" or (word.endswith(("IMP", "%")) and "*" not in word):
        return []
    found = []
    for part in word.split():
        points, _, weight = part.partition("*")
        share = Fraction(weight[:-1]) / 100 if weight.endswith("%") else Fraction(weight or "1")
        found.append((int(points), share))
    assert sum(share for _, share in found) == 1
    return found


def outcomes(row, side):
    """What a result is in the field of a side: points, seen from it, with weights."""
    if row["status"] in ("played", "passed"):
        return [(score_of(row) if side == "ns" else -score_of(row), Fraction(1))]
    return ruled(row[f"adjusted_{side}"]) if row["status"] == "adjusted" else []


def against(one, other, compare):
    return sum(own * theirs * compare(a - b) for a, own in one for b, theirs in other)


def two_one_nought(difference):
    return 2 if difference > 0 else 1 if difference == 0 else 0


def datum(field):
    """The mean without a whole result at each end, from four results up, to ten, halves away from zero."""
    parts = sorted(pair for result in field for pair in result)
    if len(field) >= 4:
        for end in (0, -1):
            left = Fraction(1)
            while left:
                points, weight = parts.pop(end)
                cut = min(left, weight)
                left -= cut
                if weight > cut:
                    parts.insert(0 if end == 0 else len(parts), (points, weight - cut))
    mean = sum(points * weight for points, weight in parts) / sum(weight for _, weight in parts)
    tens = math.floor(abs(mean) / 10 + Fraction(1, 2)) * 10
    return tens if mean > 0 else -tens


def award(mine, field, form, full):
    """What a result earns in its field, itself among it; and the top."""
    others = [result for result in field if result is not mine]
    if form == "butler":
        middle = datum(field)
        return sum(weight * imps_for(points - middle) for points, weight in mine), 0
    if form == "cross_imps":
        return (sum(against(mine, other, imps_for) for other in others) / len(others) if others else None), 0
    points, size = sum((against(mine, other, two_one_nought) for other in others), Fraction(0)), len(field)
    if full is None:
        return (points, 2 * (size - 1)) if others else (None, None)
    return (points + 1) * full / size - 1, 2 * (full - 1)


def session_line(rows, fields, form, full, who):
    """Boards, total and top of one pair in one session."""
    section, session, side, pair = who
    total, top, boards, averages = Fraction(0), Fraction(0), 0, []
    for row in rows:
        if (row["section"], row["session"], str(row[side])) != (section, session, pair):
            continue
        field = fields[side, session, row["board"]]
        mine = next((result for number, result in field if number == id(row)), None)
        results = [result for _, result in field]
        word = row.get(f"adjusted_{side}")
        if mine is not None:
            earned, available = award(mine, results, form, full)
            if earned is None:
                continue
        elif row["status"] != "adjusted" or word is None:
            continue
        elif form != "matchpoints":
            earned = {"A+": 3, "A": 0, "A-": -3}.get(word)
            earned, available = Fraction(word.split()[0]) if earned is None else earned, 0
        else:
            available = 2 * (full or len(results)) - 2
            if word in ("A+", "A", "A-"):
                averages.append((word, available))
                boards += 1
                continue
            earned = Fraction(word[:-1]) / 100 * available
        total, top, boards = total + earned, top + available, boards + 1
    own = total / top if top else Fraction(1, 2)
    worth = {"A+": max(Fraction(6, 10), own), "A": Fraction(1, 2), "A-": min(Fraction(4, 10), own)}
    total += sum(worth[word] * available for word, available in averages)
    return boards, total, top + sum(available for _, available in averages)


def by_the_book(rows, form, full, fines, handicaps, part):
    """Of each pair its boards, total, top, result from scratch and with handicap, and both places."""
    fields = {}
    for row in rows:
        for side in ("ns", "ew"):
            field = fields.setdefault((side, row["session"], row["board"]), [])
            if result := outcomes(row, side):
                field.append((id(row), result))
    largest = 2 * (full or max(len(field) for field in fields.values())) - 2
    pairs = sorted(
        {(row["section"], side, str(row[side])) for row in rows for side in ("ns", "ew") if not pd.isna(row[side])}
    )
    found = {}
    for section, side, pair in pairs:
        lines = [session_line(rows, fields, form, full, (section, session, side, pair)) for session in ("1", "2")]
        boards, total, top = (sum(column) for column in zip(*lines, strict=True))
        for fine in fines:
            if (fine["section"], fine["side"], fine["contestant"]) == (section, side, pair):
                amount = Fraction(str(fine["amount"]))
                total -= amount / 100 * largest if fine["unit"] == "% of top" else amount
        scratch = 100 * total / top if form == "matchpoints" else total / boards
        more = sum(
            Fraction(str(own["handicap"])) * part
            for own in handicaps
            if (own["section"], own["side"], own["contestant"]) == (section, side, pair)
        )
        result = scratch + more if form == "matchpoints" else scratch + more / boards
        found[side, section, pair] = [boards, total, top, scratch, result]
    for (side, *_), line in found.items():
        for column in (3, 4):
            others = [other[column] for (theirs, *_), other in found.items() if theirs == side]
            better = sum(other > line[column] for other in others)
            line.append(f"{better + 1}{'=' * (others.count(line[column]) > 1)}")
    return found


# The two against each other


@pytest.mark.parametrize(
    ("form", "full"), [("matchpoints", None), ("matchpoints", FULL), ("butler", None), ("cross_imps", None)]
)
def test_an_event_with_every_kind_of_ruling_is_what_it_is_by_the_book(form, full):
    rows = typed(imps=form != "matchpoints")
    fines = FINES if form == "matchpoints" else FINES.assign(amount=[3, 0.5], unit="IMP")
    ranked = standings(
        scored(rows, expected=full),
        form=form,
        winners=2,
        expected=full,
        penalties=fines,
        handicaps=HANDICAPS,
        handicap_share=0.5,
    )
    book = by_the_book(rows, form, full, fines.to_dict("records"), HANDICAPS.to_dict("records"), Fraction(1, 2))
    assert len(ranked) == len(book) == 5 + 4 + 6 + 6
    for row in ranked.itertuples():
        boards, total, top, scratch, result, scratch_place, place = book[row.side, row.section, row.contestant]
        more = result - scratch
        assert (row.boards, row.place, row.scratch_place) == (boards, place, scratch_place)
        gained = more * top / 100 if form == "matchpoints" else more * boards
        assert math.isclose(row.total, total + gained, rel_tol=1e-13, abs_tol=1e-12)
        assert math.isclose(row.scratch, scratch, rel_tol=1e-13, abs_tol=1e-12)
        if form == "matchpoints":
            assert math.isclose(row.top, top, rel_tol=1e-13)
            assert math.isclose(row.percent, result, rel_tol=1e-13)
        else:
            assert math.isclose(row.average, result, rel_tol=1e-13, abs_tol=1e-12)


def test_the_event_has_what_makes_events_hard():
    table = scored(typed(imps=False))
    assert table["status"].value_counts().reindex(["sit_out", "adjusted", "not_played"]).min() >= 4
    assert {*table.loc[table["status"] == "adjusted", "adjusted_ns"]} == {ns for ns, *_ in RULINGS}
    assert table.groupby("deal_id")["score_ns"].count().nunique() > 3  # boards with fewer results
    ruled_twice = table[table["status"] == "adjusted"]["deal_id"].duplicated()
    assert ruled_twice.any()
