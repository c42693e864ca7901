"""Results in USEBIO: pairs, teams, sections, awards, deals, and files that are hostile or broken."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.checks import ResultsError
from bridge_analytics.formats import usebio
from bridge_analytics.formats.usebio_elements import elements
from bridge_analytics.layout import load_layout
from bridge_analytics.results import check_results, read_results, sift_results

CASES = [f"d{number:02d}" for number in range(1, 7)]
LINE = (
    "<TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>2</EW_PAIR_NUMBER><CONTRACT>4S</CONTRACT>"
    "<PLAYED_BY>N</PLAYED_BY><TRICKS>10</TRICKS><SCORE>420</SCORE></TRAVELLER_LINE>"
)
BOARD = f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{LINE}</BOARD>"


def plain(table):
    return [{name: None if pd.isna(cell) else cell for name, cell in row.items()} for row in table.to_dict("records")]


def cells(results, *names):
    return [tuple(row[name] for name in names) for row in plain(results)]


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a USEBIO file around what it is given, or just what it is given."""

    def written(content, *, around=True, encoding="utf-8"):
        path = tmp_path / "evening.xml"
        head = f'<?xml version="1.0" encoding="{encoding}"?>'
        text = f'{head}<USEBIO Version="1.2"><EVENT>{content}</EVENT></USEBIO>' if around else content
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return written


@pytest.mark.parametrize("format", ["usebio", None])
@pytest.mark.parametrize("case", CASES[:5])
def test_a_file_is_read_as_the_case_says(case, format, shared, matcher):
    folder = next((shared / "cases").glob(f"{case}_*"))
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    results, faults = sift_results(folder / "input.xml", format=format)
    rows = [{**fault, "row": fault["source_row"]} for fault in plain(faults)]
    assert matcher.compare(expected, plain(results), rows, rule_map={"": ""}) == []


# what is refused


def refusal(path):
    with pytest.raises(ResultsError) as refused:
        sift_results(path, format="usebio")
    return refused.value


def test_an_external_entity_is_neither_read_nor_shown(shared):
    folder = next((shared / "cases").glob("d06_*"))
    error = refusal(folder / "input.xml")
    assert error.faults["rule"].tolist() == ["xml_entity"]
    assert (folder / "secret.txt").read_text(encoding="utf-8").strip() not in str(error)
    assert check_results(folder / "input.xml")["rule"].tolist() == ["xml_entity"]


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY l0 "ha">' + LAUGHS,  # each ten of the one before
        '<!ENTITY % all SYSTEM "http://localhost/all.dtd"> %all;',
        '<!ENTITY l11 "harmless">',
        '<!NOTATION n SYSTEM "x"><!ENTITY l11 SYSTEM "x" NDATA n>',
    ],
)
def test_a_file_that_declares_an_entity_is_refused(write, declared):
    text = f"<!DOCTYPE USEBIO [{declared}]><USEBIO><EVENT>{BOARD.replace('4S', '&l11;')}</EVENT></USEBIO>"
    assert refusal(write(text, around=False)).faults["rule"].tolist() == ["xml_entity"]


def test_a_document_type_elsewhere_is_not_looked_for(write, monkeypatch):
    def forbidden(*_args, **_options):
        raise AssertionError("something was fetched")

    monkeypatch.setattr("socket.socket.connect", forbidden)
    monkeypatch.setattr("urllib.request.urlopen", forbidden)
    text = f'<!DOCTYPE USEBIO SYSTEM "http://localhost:1/u.dtd"><USEBIO><EVENT>{BOARD}</EVENT></USEBIO>'
    assert cells(read_results(write(text, around=False)), "contract") == [("4S",)]


@pytest.mark.parametrize(
    "content", ["", "no xml", "<HTML></HTML>", "<USEBIO>", '<?xml version="1.0" encoding="klingon"?>']
)
def test_what_is_no_usebio_is_refused(write, content):
    assert refusal(write(content, around=False)).faults["rule"].tolist() == ["file_unreadable"]


def test_results_before_a_break_are_kept_and_the_break_is_named(write):
    path = write(f"<USEBIO><EVENT>{BOARD}{BOARD[: len(BOARD) // 2]}</EVENT></USEBIO>", around=False)
    results, faults = sift_results(path)
    assert results["source_row"].tolist() == [1]
    assert cells(faults, "source_row", "rule", "left_out") == [(2, "file_unreadable", True)]
    with pytest.raises(ResultsError):
        read_results(path)


# who


def pair(number, first, second, direction=""):
    players = "".join(f"<PLAYER><PLAYER_NAME>{name}</PLAYER_NAME></PLAYER>" for name in (first, second))
    side = f"<DIRECTION>{direction}</DIRECTION>" if direction else ""
    return f"<PAIR><PAIR_NUMBER>{number}</PAIR_NUMBER>{side}{players}</PAIR>"


def seats(path):
    return cells(read_results(path), "north", "south", "east", "west")


def test_the_players_of_a_pair_are_seated_wherever_the_file_lists_them(write):
    people = f"<PARTICIPANTS>{pair(1, 'A', 'B')}{pair(2, 'C', 'Dé')}</PARTICIPANTS>"
    for content in (people + BOARD, BOARD + people):
        assert seats(write(content, encoding="iso-8859-1")) == [("A", "B", "C", "Dé")]


def test_pairs_of_one_number_on_both_sides_are_two(write):
    people = pair(1, "A", "B", "NS") + pair(1, "C", "D", "EW") + pair(2, "E", "F", "NS") + pair(2, "G", "H", "EW")
    assert seats(write(f"<PARTICIPANTS>{people}</PARTICIPANTS>{BOARD}")) == [("A", "B", "G", "H")]


def test_a_pair_that_has_moved_to_the_other_side_is_known_by_its_number(write):
    people = pair(1, "A", "B", "EW") + pair(2, "C", "D", "NS")
    assert seats(write(f"<PARTICIPANTS>{people}</PARTICIPANTS>{BOARD}")) == [("A", "B", "C", "D")]
    twice = people + pair(3, "E", "F", "NS") + pair(3, "G", "H", "EW")  # now 1 and 2 may be two pairs each
    assert seats(write(f"<PARTICIPANTS>{twice}</PARTICIPANTS>{BOARD}")) == [(None,) * 4]


def test_a_section_knows_its_own_pairs_first(write):
    section = "<SECTION SECTION_ID='{0}'><PARTICIPANTS>{1}</PARTICIPANTS>{2}</SECTION>"
    first = section.format("A", pair(1, "A", "B") + pair(2, "C", "D"), BOARD)
    second = section.format("B", pair(1, "E", "F"), BOARD)
    path = write(f"<PARTICIPANTS>{pair(2, 'Y', 'Z')}</PARTICIPANTS>{first}{second}")
    assert seats(path) == [("A", "B", "C", "D"), ("E", "F", "Y", "Z")]
    assert cells(read_results(path), "section", "session") == [("A", None), ("B", None)]


def test_a_pair_listed_twice_with_other_players_is_nobody(write):
    people = pair(1, "A", "B") + pair(1, "A", "C")
    assert seats(write(f"<PARTICIPANTS>{people}</PARTICIPANTS>{BOARD}")) == [(None,) * 4]


def test_the_players_of_an_individual_event_have_their_ids(write):
    ids = "".join(f"<{seat}_PLAYER_NUMBER>{seat}7</{seat}_PLAYER_NUMBER>" for seat in "NSEW")
    line = f"<TRAVELLER_LINE>{ids}<CONTRACT>Pass</CONTRACT><SCORE>0</SCORE></TRAVELLER_LINE>"
    path = write(f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{line}</BOARD>")
    assert seats(path) == [("N7", "S7", "E7", "W7")]
    assert cells(read_results(path), "ns", "ew") == [(None, None)]


def test_sessions_without_a_label_are_numbered(write):
    results = read_results(write(f"<SESSION>{BOARD}</SESSION><SESSION>{BOARD}</SESSION>"))
    assert results["session"].tolist() == ["1", "2"]


@pytest.mark.parametrize("dashes", ["-", "---", "–"])
def test_a_lead_of_dashes_is_none(write, dashes):
    results, faults = sift_results(write(BOARD.replace("<SCORE>", f"<LEAD>{dashes}</LEAD><SCORE>")))
    assert results["lead"].isna().all()
    assert faults.empty


@pytest.mark.parametrize("phantom", ["Phantom", "SIT OUT", "Bye"])
def test_a_board_against_nobody_is_sat_out(write, phantom):
    people = f"<PARTICIPANTS>{pair(2, phantom, phantom)}</PARTICIPANTS>"
    line = "<TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>2</EW_PAIR_NUMBER></TRAVELLER_LINE>"
    other = LINE.replace(">1<", ">3<").replace(">2<", ">4<")
    results, faults = sift_results(write(people + f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{line}{other}</BOARD>"))
    assert results["status"].tolist() == ["sit_out", "played"]
    assert faults.empty


@pytest.mark.parametrize(("direction", "sides"), [("NS", ("7", "9")), ("EW", ("9", "7"))])
def test_the_teams_of_a_match_are_its_sides(write, direction, sides):
    line = LINE.replace("<CONTRACT>", f"<DIRECTION>{direction}</DIRECTION><CONTRACT>")
    match = "<MATCH><ROUND_NUMBER>3</ROUND_NUMBER><TEAM>7</TEAM><OPPOSING_TEAM>9</OPPOSING_TEAM>{}</MATCH>"
    results = read_results(write(match.format(BOARD.replace(LINE, line))))
    assert cells(results, "ns", "ew", "round") == [(*sides, "3")]


def test_the_pairs_of_a_match_may_stand_with_the_match(write):
    numbers = "<NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>2</EW_PAIR_NUMBER>"
    results = read_results(write(f"<MATCH>{numbers}{BOARD.replace(numbers, '')}</MATCH>"))
    assert cells(results, "ns", "ew", "contract") == [("1", "2", "4S")]


# the board


def hand(direction, *suits):
    names = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
    ranks = "".join(f"<{name}>{suit}</{name}>" for name, suit in zip(names, suits, strict=True))
    return f"<HAND><DIRECTION>{direction}</DIRECTION>{ranks}</HAND>"


HANDS = hand("N", "A K Q J 10", "", "-", "") + hand("East", "", "AKQ", "", "") + hand("W", "", "", "", "2")


def test_hands_are_deals_in_the_board_or_in_a_set_behind_the_results(write):
    dealt = "N:AKQJT... .AKQ.. - ...2"
    inside = BOARD.replace("</BOARD_NUMBER>", f"</BOARD_NUMBER>{HANDS}")
    behind = f"{BOARD}</EVENT><HANDSET><BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{HANDS}</BOARD></HANDSET><EVENT>"
    for content in (inside, behind):
        assert cells(read_results(write(content)), "deal") == [(dealt,)]


def test_two_deals_of_one_board_are_none(write):
    other = HANDS.replace("AKQ<", "AK<")
    sets = "".join(f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{hands}</BOARD>" for hands in (HANDS, other))
    assert cells(read_results(write(f"{BOARD}<HANDSET>{sets}</HANDSET>")), "deal") == [(None,)]


def test_what_east_west_won_stays_beside_our_columns(write):
    line = LINE.replace("</SCORE>", "</SCORE><NS_MATCH_POINTS>3</NS_MATCH_POINTS><EW_MATCH_POINTS>1</EW_MATCH_POINTS>")
    results = read_results(write(BOARD.replace(LINE, line)))
    assert cells(results, "published_mp_ns", "EW_MATCH_POINTS") == [(3, "1")]


# size, and broken files


def test_what_was_read_of_a_large_file_is_let_go():
    people = f"<PARTICIPANTS>{pair(1, 'A', 'B') * 1_000}</PARTICIPANTS>"
    file = io.BytesIO(f"<USEBIO><EVENT>{people}{BOARD * 1_000}<X><Y/></X></EVENT></USEBIO>".encode())
    assert max(sum(map(len, within)) for within, _ in elements(file, None)) < 300  # a block of the file


def test_a_large_file_comes_in_parts(monkeypatch):
    monkeypatch.setattr(usebio, "_ROWS", 40)
    file = io.BytesIO(f"<USEBIO><EVENT>{BOARD * 100}</EVENT></USEBIO>".encode())
    told = [(len(frame), row[0], row[-1]) for frame, row, _ in usebio.parts(file, load_layout(None))]
    assert told == [(40, 1, 40), (40, 41, 80), (20, 81, 100)]


@pytest.mark.parametrize("seed", range(60))
def test_a_broken_file_loses_no_result_in_silence(seed, shared, mutated, tmp_path):
    draw = np.random.default_rng(seed)
    folder = next((shared / "cases").glob(f"{CASES[seed % len(CASES)]}_*"))
    data = mutated((folder / "input.xml").read_bytes(), draw)
    path = tmp_path / "broken.xml"
    path.write_bytes(data)
    try:
        results, faults = sift_results(path, format="usebio")
    except ResultsError as error:
        refused = set(error.faults["rule"])
    else:
        refused = set()
    if refused:
        assert refused <= {"xml_entity", "file_unreadable"}
        return
    seen = set(results["source_row"]) | set(faults["source_row"].dropna())
    assert seen == set(range(1, len(seen) + 1))
    if "file_unreadable" not in set(faults["rule"]):
        assert len(seen) == data.count(b"</TRAVELLER_LINE>")
