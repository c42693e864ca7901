"""Editions: what each ships, how files are read and extended, and every way in which one can be wrong."""

import csv
import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from bridge_analytics.kinds import KINDS
from bridge_analytics.rules import Edition, diff_editions, editions, load_edition, show_edition

PACKAGE = Path(__file__).resolve().parents[1] / "bridge_analytics"
NAMES = sorted(path.stem for path in (PACKAGE / "editions").glob("*.toml"))
SCORING = [name for name in NAMES if load_edition(name).kind == "scoring"]

with (Path(__file__).parent / "cases" / "edition_values.csv").open(encoding="utf-8", newline="") as file:
    VALUES = list(csv.DictReader(file))

DATUM = """
title = "Datum of our club"
kind = "datum"
trim.count = { value = 0, source = "ours" }
trim.share = { value = 0, source = "ours" }
trim.from = { value = 1, source = "ours" }
datum.centre = { value = "mean", source = "ours" }
datum.step = { value = 10, source = "ours" }
datum.rounding = { value = "away", source = "ours" }
difference.step = { value = 0, source = "ours" }
difference.rounding = { value = "none", source = "ours" }
"""


def listed(value):
    return [listed(one) for one in value] if isinstance(value, tuple) else value


@pytest.fixture
def club(tmp_path):
    """Write an edition of a club, by default one that extends duplicate-1987; give its path."""

    def write(body, name="club.toml", head='title = "Our club"\nextends = "duplicate-1987"\n'):
        (tmp_path / name).write_text(head + body, encoding="utf-8")
        return str(tmp_path / name)

    return write


def refused(path, message, kind=ValueError):
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        load_edition(path)


# ---- what is shipped -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", VALUES, ids=lambda case: f"{case['edition']}-{case['key']}")
def test_editions_give_the_numbers_of_their_texts(case):
    assert listed(load_edition(case["edition"])[case["key"]]) == json.loads(case["value"]), case["source"]


def test_every_shipped_edition_has_cases():
    assert {case["edition"] for case in VALUES} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_a_shipped_edition_has_a_source(name):
    assert [key for key, _, source in load_edition(name).leaves if len(source.strip()) < len("text 001")] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_edition_gives_all_its_kind_requires(name):
    edition = load_edition(name)
    required, _, _ = KINDS[edition.kind]
    assert set(required) <= {key for key, _, _ in edition.leaves}


@pytest.mark.parametrize("name", SCORING)
def test_redoubled_undertricks_are_twice_the_doubled(name):
    edition = load_edition(name)
    doubled = [[2 * points for points in side] for side in edition["undertrick.doubled"]]
    assert listed(edition["undertrick.redoubled"]) == doubled


@pytest.mark.parametrize("name", [name for name in SCORING if not name.startswith("duplicate")])
def test_rubber_deals_carry_no_game_or_partscore_premium(name):
    edition = load_edition(name)
    assert (edition["premium.game"], edition["premium.partscore"]) == ((0, 0), (0, 0))


@pytest.mark.parametrize("name", [name for name in SCORING if name.startswith("duplicate")])
def test_duplicate_has_no_honours_and_no_rubber(name):
    assert [key for key, _, _ in load_edition(name).leaves if key.startswith("rubber.")] == []


def test_the_list_names_each_edition_with_its_kind_and_what_it_extends():
    table = editions()
    assert table.columns.tolist() == ["name", "kind", "title", "extends"]
    assert sorted(table["name"]) == NAMES
    kinds = ["scoring", "imps", "datum", "vp", "howell", "adjusted", "points", "hands"]
    assert table["kind"].drop_duplicates().tolist() == kinds
    extends = table.set_index("name")["extends"]
    assert extends["duplicate-003"] == "duplicate-1987"
    assert pd.isna(extends["duplicate-1987"])


# ---- an edition as a value -------------------------------------------------------------------------------------------


def test_lists_are_nested_tuples():
    assert load_edition("duplicate-003")["undertrick.doubled"] == ((100, 200, 200, 300), (200, 400))


def test_a_number_knows_its_source():
    assert "Law 78B" in load_edition("imps-1962").source("imps.starts")


def test_an_edition_knows_which_keys_it_has():
    edition = load_edition("duplicate-1987")
    assert "premium.game" in edition
    assert "rubber.four_honours" not in edition


def test_a_key_that_the_edition_lacks_names_the_nearest():
    with pytest.raises(
        KeyError, match=r"expected a key of 'duplicate-1987' \(nearest: 'premium.game'\), got 'premium.gane'"
    ):
        load_edition("duplicate-1987")["premium.gane"]


def test_editions_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        load_edition("duplicate-1987").name = "mine"  # type: ignore[misc]


def test_editions_of_the_same_content_are_equal_and_hash_alike_in_any_order_of_lines(club):
    turned = "\n".join(reversed(DATUM.splitlines()))
    first, second = load_edition(club(DATUM, head="")), load_edition(club(turned, head=""))
    assert first is not second
    assert first == second
    assert hash(first) == hash(second)


@pytest.mark.parametrize("change", ['value = 26, source = "a"', 'value = 25, source = "b"'])
def test_editions_of_other_content_differ(club, change):
    first = load_edition(club('trick_score.minor = { value = 25, source = "a" }'))
    assert first != load_edition(club(f"trick_score.minor = {{ {change} }}"))


def test_an_edition_is_returned_as_it_is():
    edition = load_edition("imps-1962")
    assert load_edition(edition, "imps") is edition


def test_a_shipped_edition_is_read_once():
    assert load_edition("imps-1962") is load_edition("imps-1962")


@pytest.mark.parametrize("edition", ["imps-1962", load_edition("imps-1962")], ids=["name", "edition"])
def test_an_edition_of_another_kind_is_refused(edition):
    with pytest.raises(ValueError, match=r"^expected an edition of kind 'scoring', got 'imps-1962' of kind 'imps'$"):
        load_edition(edition, "scoring")


# ---- a club loads its own --------------------------------------------------------------------------------------------


def test_a_club_changes_one_number_and_keeps_the_rest(club):
    edition = load_edition(club('[premium]\ngame = { value = [250, 450], source = "ours" }'))
    law = load_edition("duplicate-1987")
    assert (edition.name, edition.kind, edition.title) == ("club.toml", "scoring", "Our club")
    assert edition["premium.game"] == (250, 450)
    assert edition.source("premium.game") == "ours"
    others = [leaf for leaf in law.leaves if leaf[0] != "premium.game"]
    assert [leaf for leaf in edition.leaves if leaf[0] != "premium.game"] == others


def test_the_example_of_the_guide_to_editions_loads(club):
    guide = (PACKAGE / "editions" / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", guide, re.DOTALL)
    assert load_edition(club(example, head=""))["trick_score.notrump"] == (40, 40)


def test_a_path_object_is_a_path(club):
    assert load_edition(Path(club(""))).name == "club.toml"


def test_a_path_is_relative_to_where_we_are(club, tmp_path, monkeypatch):
    club("")
    monkeypatch.chdir(tmp_path)
    assert load_edition("club.toml").title == "Our club"


def test_a_file_may_extend_another_beside_it(club, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path.parent)
    club('trick_score.minor = { value = 25, source = "ours" }')
    guests = club("", "guests.toml", 'title = "Guests"\nextends = "club.toml"\n')
    assert load_edition(guests)["trick_score.minor"] == 25
    assert load_edition(guests)["trick_score.major"] == 30


def test_a_file_may_extend_one_in_another_folder(club, tmp_path):
    (tmp_path / "old").mkdir()
    club('trick_score.minor = { value = 25, source = "ours" }', "old/club.toml")
    middle = club(
        'trick_score.major = { value = 35, source = "ours" }', "club.toml", 'title = "b"\nextends = "old/club.toml"\n'
    )
    assert [load_edition(middle)[f"trick_score.{suit}"] for suit in ("minor", "major")] == [25, 35]


def test_a_file_with_the_name_of_an_edition_may_extend_it(club):
    path = club('trick_score.minor = { value = 25, source = "ours" }', "duplicate-1987.toml")
    assert load_edition(path).name == "duplicate-1987.toml"
    assert load_edition(path)["trick_score.minor"] == 25
    assert load_edition("duplicate-1987")["trick_score.minor"] == 20


def test_a_file_may_be_a_root_of_its_own(club):
    assert load_edition(club(DATUM, head="")).kind == "datum"


def test_a_file_with_a_byte_order_mark_is_read(tmp_path):
    (tmp_path / "club.toml").write_text('title = "Nuestro club: ñ"\nextends = "imps-1962"\n', encoding="utf-8-sig")
    assert load_edition(tmp_path / "club.toml").title == "Nuestro club: ñ"


def test_a_changed_file_is_read_again_even_within_the_same_instant(club):
    path = club('trick_score.minor = { value = 25, source = "ours" }')
    before = os.stat(path)
    assert load_edition(path)["trick_score.minor"] == 25
    club('trick_score.minor = { value = 26, source = "ours" }')
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert load_edition(path)["trick_score.minor"] == 26


def test_a_change_in_the_extended_file_is_seen(club):
    club('trick_score.minor = { value = 25, source = "ours" }')
    guests = club("", "guests.toml", 'title = "Guests"\nextends = "club.toml"\n')
    assert load_edition(guests)["trick_score.minor"] == 25
    club('trick_score.minor = { value = 26, source = "ours" }')
    assert load_edition(guests)["trick_score.minor"] == 26


# ---- what is wrong is said -------------------------------------------------------------------------------------------


def test_an_unknown_edition_names_the_nearest():
    refused(
        "duplicate-1978",
        "expected an edition (nearest: 'duplicate-1987') or a path ending in '.toml', got 'duplicate-1978'",
    )


def test_an_edition_like_no_other_is_told_all():
    with pytest.raises(ValueError, match=r"known: adjusted-acbl, .*vp-wbf-2013-discrete\).* got 'zzz'"):
        load_edition("zzz")


@pytest.mark.parametrize("name", [None, 1987, ["duplicate-1987"]])
def test_what_is_no_name_is_refused(name):
    message = f"expected the name of an edition, a path ending in '.toml' or an Edition, got {name!r}"
    refused(name, message, TypeError)


def test_a_file_that_is_not_there(tmp_path):
    path = str((tmp_path / "none.toml").resolve())
    refused(path, f"expected the file of an edition, got no file at {path!r}", FileNotFoundError)


def test_an_extended_file_that_is_not_there(club, tmp_path):
    path = club("", head='title = "a"\nextends = "none.toml"\n')
    there = str((tmp_path / "none.toml").resolve())
    refused(path, f"expected the file of an edition, got no file at {there!r}", FileNotFoundError)


def test_an_extended_edition_that_does_not_exist(club):
    path = club("", head='title = "a"\nextends = "imps-1692"\n')
    near = "nearest: 'imps-1962'"
    refused(
        path, f"expected an edition ({near}) or a path ending in '.toml', got 'imps-1692' as extends in 'club.toml'"
    )


@pytest.mark.parametrize("text", [b"contract,score\n4S,420\n", b'title = "caf\xe9"\n'], ids=["a table", "Latin 1"])
def test_a_file_that_is_not_toml(tmp_path, text):
    (tmp_path / "club.toml").write_bytes(text)
    with pytest.raises(ValueError, match=r"^expected TOML in 'club.toml', got: "):
        load_edition(tmp_path / "club.toml")


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ('extends = "imps-1962"', "expected a text as title, got None in 'club.toml'"),
        ('title = " "\nextends = "imps-1962"', "expected a text as title, got ' ' in 'club.toml'"),
        ('title = "a"\nextends = ["imps-1962"]', "expected a text as extends, got ['imps-1962'] in 'club.toml'"),
        ('title = "a"\nkind = 7', "expected a text as kind, got 7 in 'club.toml'"),
        (
            'title = "a"',
            "expected a kind (known: adjusted, datum, hands, howell, imps, points, scoring, vp), got None "
            "in 'club.toml'",
        ),
        ('title = "a"\nkind = "datums"', "expected a kind (nearest: 'datum'), got 'datums' in 'club.toml'"),
        (
            'title = "a"\nkind = "datum"\nextends = "imps-1962"',
            "expected kind 'imps', that of 'imps-1962', got 'datum' in 'club.toml'",
        ),
    ],
)
def test_a_head_that_is_wrong(club, head, message):
    refused(club("", head=head), message)


def test_extends_in_a_circle(club):
    club("", "a.toml", 'title = "a"\nextends = "b.toml"\n')
    path = club("", "b.toml", 'title = "b"\nextends = "a.toml"\n')
    refused(path, "expected extends to lead to a root, got the circle b.toml -> a.toml -> b.toml")


def test_extends_of_itself(club):
    path = club("", head='title = "a"\nextends = "club.toml"\n')
    refused(path, "expected extends to lead to a root, got the circle club.toml -> club.toml")


def test_a_root_must_give_every_required_key(club):
    path = club(DATUM.replace("datum.step", "#").replace("trim.from", "#"), head="")
    refused(path, "expected trim.from, datum.step in 'club.toml', which extends nothing, got none")


def test_what_extends_a_root_does_not_make_it_whole(club):
    club(DATUM.replace("trim.from", "#"), "root.toml", head="")
    path = club('trim.from = { value = 1, source = "a" }', head='title = "a"\nextends = "root.toml"\n')
    refused(path, "expected trim.from in 'root.toml', which extends nothing, got none")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            'trick_score.mnior = { value = 20, source = "a" }',
            "expected a known key (nearest: 'trick_score.minor'), got 'trick_score.mnior' in 'club.toml'",
        ),
        (
            '[premiums]\ngame = { value = [1, 2], source = "a" }',
            "expected a known key (nearest: 'premium.game'), got 'premiums' in 'club.toml'",
        ),
        (
            '"premium.game" = { value = [1, 2], source = "a" }',
            "expected a known key (nearest: 'premium.game'), got 'premium.game' in 'club.toml'",
        ),
        ("premium = 50", "expected a known key (nearest: 'premium.game'), got 'premium' in 'club.toml'"),
        ("[premium]\ngame = [1, 2]", "expected premium.game as { value, source }, got [1, 2] in 'club.toml'"),
        (
            'premium.game = { points = [1, 2], source = "a" }',
            "expected premium.game as { value, source }, got {'points': [1, 2], 'source': 'a'} in 'club.toml'",
        ),
        (
            'trick_score.game = { value = 9, source = "a", to = 1 }',
            "expected trick_score.game as { value, source }, got {'value': 9, 'source': 'a', 'to': 1} in 'club.toml'",
        ),
        ("trick_score.game = { value = 90 }", "expected a source of trick_score.game, got None in 'club.toml'"),
        (
            'trick_score.game = { value = 90, source = "  " }',
            "expected a source of trick_score.game, got '  ' in 'club.toml'",
        ),
        (
            "trick_score.game = { value = 90, source = 77 }",
            "expected a source of trick_score.game, got 77 in 'club.toml'",
        ),
    ],
)
def test_a_leaf_that_is_wrong(club, body, message):
    refused(club(body), message)


WHOLE, POSITIVE = "a whole number 0 to 32767", "a whole number 1 to 32767"


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("trick_score.minor", '"20"', f"{POSITIVE}, got '20'"),
        ("trick_score.minor", "20.0", f"{POSITIVE}, got 20.0"),
        ("trick_score.minor", "true", f"{POSITIVE}, got True"),
        ("trick_score.minor", "[20]", f"{POSITIVE}, got [20]"),
        ("trick_score.minor", "0", f"{POSITIVE}, got 0"),
        ("trick_score.game", "32768", f"{POSITIVE}, got 32768"),
        ("trick_score.notrump", "[40, 30, 30]", f"[{POSITIVE}, {POSITIVE}], got [40, 30, 30]"),
        ("trick_score.doubled", "[1, 2]", f"[{POSITIVE}, {POSITIVE}, {POSITIVE}], got [1, 2]"),
        ("premium.game", "300", f"[{WHOLE}, {WHOLE}], got 300"),
        ("premium.game", "[300]", f"[{WHOLE}, {WHOLE}], got [300]"),
        ("premium.game", "[300, -500]", f"[{WHOLE}, {WHOLE}], got [300, -500]"),
        ("premium.game", "[300, 40000]", f"[{WHOLE}, {WHOLE}], got [300, 40000]"),
        ("premium.game", "[300, true]", f"[{WHOLE}, {WHOLE}], got [300, True]"),
        ("premium.game", "[]", f"[{WHOLE}, {WHOLE}], got []"),
        ("undertrick.doubled", "[100, 200]", f"[[{WHOLE}, ...], [{WHOLE}, ...]], got [100, 200]"),
        ("undertrick.doubled", "[[100], []]", f"[[{WHOLE}, ...], [{WHOLE}, ...]], got [[100], []]"),
        ("undertrick.doubled", "[[100], [200, 1.5]]", f"[[{WHOLE}, ...], [{WHOLE}, ...]], got [[100], [200, 1.5]]"),
        ("rubber.four_honours", '"none"', f"{WHOLE} or [], got 'none'"),
        ("rubber.four_honours", "[100]", f"{WHOLE} or [], got [100]"),
        ("rubber.both_partscores", '"each"', "'none' or 'both' or [], got 'each'"),
        ("rubber.chicago_vulnerable", '"opponents"', "'dealer' or 'non_dealer' or [], got 'opponents'"),
        ("rubber.chicago_game", "[300]", f"[{WHOLE}, {WHOLE}] or [], got [300]"),
    ],
)
def test_a_value_of_the_wrong_shape(club, key, value, expected):
    refused(club(f'{key} = {{ value = {value}, source = "a" }}'), f"expected {key} as {expected} in 'club.toml'")


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("trim.count", "-1", f"{WHOLE}, got -1"),
        ("trim.share", '"5 %"', "a number, got '5 %'"),
        ("trim.share", "false", "a number, got False"),
        ("trim.from", "0", f"{POSITIVE}, got 0"),
        ("datum.centre", '"mode"', "'mean' or 'median', got 'mode'"),
        ("datum.step", "5", "0 or 1 or 10, got 5"),
        ("datum.step", "true", "0 or 1 or 10, got True"),
        ("datum.rounding", '"up"', "'none' or 'away' or 'even' or 'cut', got 'up'"),
        ("difference.step", "1", "0 or 10, got 1"),
        ("difference.rounding", '"even"', "'none' or 'away', got 'even'"),
    ],
)
def test_a_datum_of_the_wrong_shape(club, key, value, expected):
    path = club(f'{key} = {{ value = {value}, source = "a" }}', head='title = "a"\nextends = "datum-trimmed"\n')
    refused(path, f"expected {key} as {expected} in 'club.toml'")


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("trim.share", "0.05", "trim.count or trim.share, not both, got trim.count = 1, trim.share = 0.05"),
        ("trim.share", "0.5", "trim.share from 0 to below 0.5, got trim.share = 0.5"),
        ("trim.share", "-0.1", "trim.share from 0 to below 0.5, got trim.share = -0.1"),
        ("trim.share", "nan", "trim.share from 0 to below 0.5, got trim.share = nan"),
        ("trim.from", "2", "trim.from above twice trim.count, got trim.from = 2, trim.count = 1"),
        (
            "datum.rounding",
            '"none"',
            "datum.rounding 'none' just where datum.step is 0, got datum.step = 10, datum.rounding = 'none'",
        ),
        (
            "difference.step",
            "10",
            "difference.rounding 'none' just where difference.step is 0, "
            "got difference.step = 10, difference.rounding = 'none'",
        ),
    ],
)
def test_numbers_of_a_datum_that_do_not_go_together(club, key, value, expected):
    path = club(f'{key} = {{ value = {value}, source = "a" }}', head='title = "a"\nextends = "datum-trimmed"\n')
    refused(path, f"expected {expected} in 'club.toml'")


@pytest.mark.parametrize(
    ("starts", "expected"),
    [
        ([20, 50, 50], "imps.starts increasing, got imps.starts = (20, 50, 50)"),
        ([50, 20], "imps.starts increasing, got imps.starts = (50, 20)"),
        ([], f"imps.starts as [{POSITIVE}, ...], got []"),
        ([0, 20], f"imps.starts as [{POSITIVE}, ...], got [0, 20]"),
        ([20, 32768], f"imps.starts as [{POSITIVE}, ...], got [20, 32768]"),
        (list(range(1, 129)), f"at most 127 imps.starts, got imps.starts = {tuple(range(1, 129))}"),
    ],
    ids=["flat", "falling", "empty", "zero", "beyond int16", "too many"],
)
def test_a_scale_that_is_none(club, starts, expected):
    path = club(f'imps.starts = {{ value = {starts}, source = "a" }}', head='title = "a"\nkind = "imps"\n')
    refused(path, f"expected {expected} in 'club.toml'")


def test_a_fault_in_the_extended_file_names_that_file(club):
    club("trick_score.game = { value = 90 }", "old.toml")
    path = club("", head='title = "a"\nextends = "old.toml"\n')
    refused(path, "expected a source of trick_score.game, got None in 'old.toml'")


# ---- tables ----------------------------------------------------------------------------------------------------------


def test_a_diff_shows_only_what_differs_with_both_sources():
    table = diff_editions("duplicate-1987", "duplicate-003")
    assert table.columns.tolist() == ["key", "a", "b", "source_a", "source_b"]
    assert table[["key", "a", "b"]].values.tolist() == [
        ["premium.making_redoubled", (100, 100), (50, 50)],
        ["undertrick.doubled", ((100, 200, 200, 300), (200, 300)), ((100, 200, 200, 300), (200, 400))],
        ["undertrick.redoubled", ((200, 400, 400, 600), (400, 600)), ((200, 400, 400, 600), (400, 800))],
    ]
    assert table["source_a"].str.contains("Law 77|text").all()
    assert table["source_b"].str.contains("text 003").all()


def test_a_diff_is_null_where_an_edition_lacks_the_key():
    row = diff_editions("rubber-1993", "duplicate-1987").set_index("key").loc["rubber.two_games_to_none"]
    assert row["a"] == 700
    assert row[["b", "source_b"]].isna().all()


def test_a_diff_keeps_numbers_whole_beside_nulls():
    one = Edition("one", "scoring", "a", (("rubber.four_honours", 100, "a"),))
    other = Edition("other", "scoring", "b", (("rubber.four_aces", 150, "b"),))
    table = diff_editions(one, other)
    assert table["key"].tolist() == ["rubber.four_honours", "rubber.four_aces"]
    assert [type(value) for value in (*table["a"], *table["b"])] == [int, type(None), type(None), int]


def test_the_other_source_of_an_equal_number_is_no_difference():
    assert "trick_score.minor" not in diff_editions("duplicate-1987", "rubber-1993")["key"].tolist()


def test_an_edition_does_not_differ_from_itself():
    table = diff_editions("chicago", load_edition("chicago"))
    assert len(table) == 0
    assert table.columns.tolist() == ["key", "a", "b", "source_a", "source_b"]


def test_editions_of_two_kinds_cannot_be_compared():
    with pytest.raises(ValueError, match=r"^expected an edition of kind 'scoring', got 'imps-1962' of kind 'imps'$"):
        diff_editions("duplicate-1987", "imps-1962")


def test_a_shown_number_says_which_file_it_stands_in():
    table = show_edition("rubber-003")
    assert table.columns.tolist() == ["key", "value", "source", "from"]
    where = table.set_index("key")["from"]
    assert where["undertrick.doubled"] == "rubber-003"
    assert where["rubber.two_games_to_none"] == "rubber-1993"


@pytest.mark.parametrize("name", NAMES)
def test_what_is_shown_is_what_is_loaded(name):
    assert (
        tuple(show_edition(name)[["key", "value", "source"]].itertuples(index=False, name=None))
        == load_edition(name).leaves
    )


def test_an_edition_of_a_club_is_shown_by_the_name_of_its_file(club):
    table = show_edition(club('trick_score.minor = { value = 25, source = "ours" }')).set_index("key")
    assert table.loc["trick_score.minor", ["value", "source", "from"]].tolist() == [25, "ours", "club.toml"]
    assert table.loc["trick_score.major", "from"] == "duplicate-1987"


def test_an_edition_that_is_loaded_no_longer_knows_its_files():
    with pytest.raises(TypeError, match="expected the name of an edition"):
        show_edition(load_edition("imps-1962"))


# ---- from an installed package ---------------------------------------------------------------------------------------

PRINT_NAMES = "from bridge_analytics.rules import editions; print(*sorted(editions()['name']))"


def run(code, path):
    environment = {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=path.parent, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture
def copy(tmp_path):
    """Give a folder with the package's rules alone, away from the sources."""
    folder = tmp_path / "site" / "bridge_analytics"
    (folder / "editions").mkdir(parents=True)
    (folder / "__init__.py").touch()
    for name in ("rules.py", "kinds.py"):
        shutil.copy(PACKAGE / name, folder)
    for path in (PACKAGE / "editions").glob("*.toml"):
        shutil.copy(path, folder / "editions")
    return folder.parent


def test_editions_are_found_where_the_package_is_installed(copy):
    assert run(PRINT_NAMES, copy) == NAMES


def test_editions_are_found_within_a_zip(copy, tmp_path):
    with zipfile.ZipFile(tmp_path / "package.zip", "w") as archive:
        for path in copy.rglob("*"):
            archive.write(path, path.relative_to(copy))
    assert run(PRINT_NAMES, tmp_path / "package.zip") == NAMES


def test_rules_need_pandas_and_nothing_dearer(copy):
    code = "import sys, pandas; had = set(sys.modules); import bridge_analytics.rules; print(*(set(sys.modules) - had))"
    dear = {"difflib", "scipy", "matplotlib", "typer", "jinja2", "rich"}
    loaded = {name.partition(".")[0] for name in run(code, copy)}
    assert "tomllib" in loaded
    assert loaded & dear == set()


def test_an_edition_made_by_hand_is_an_edition():
    mine = Edition("mine", "imps", "Two steps", (("imps.starts", (100, 500), "ours"),))
    assert load_edition(mine, "imps")["imps.starts"] == (100, 500)
