"""How a club writes its files, told by a layout."""

import re
import tomllib
from pathlib import Path

import pytest

from bridge_analytics import layout as layout_module
from bridge_analytics.headers import ROLES, is_known, roles_of
from bridge_analytics.layout import KEYS, load_layout
from bridge_analytics.table import COLUMNS


def test_a_layout_is_whole_without_a_word():
    assert set(load_layout(None)) == set(KEYS)


def test_a_layout_may_be_a_file(tmp_path):
    path = tmp_path / "club.toml"
    path.write_text('sep = ";"\nresult = "relative"\n[columns]\nHand = "board"\n', encoding="utf-8")
    layout = load_layout(path)
    assert (layout["sep"], layout["result"], layout["columns"]) == (";", "relative", {"Hand": "board"})


@pytest.mark.parametrize(
    ("layout", "reason"),
    [
        ({"separator": ";"}, "expected layout keys among columns, .*, got 'separator'"),
        ({"columns": {"Hand": "bord"}}, "expected column 'Hand' to hold one of event, .*, got 'bord'"),
        ({"columns": {"Hand": "source"}}, "expected column 'Hand' to hold one of .*, got 'source'"),
        ({"columns": ["Hand"]}, "expected headers of the file with what they hold as layout key 'columns'"),
        ({"locale": "de"}, "expected one of en, es, fr as layout key 'locale', got 'de'"),
        ({"sep": ";;"}, "expected one character between cells as layout key 'sep', got ';;'"),
        ({"decimal": "x"}, "as layout key 'decimal', got 'x'"),
        ({"encoding": "utf-9"}, "expected the name of an encoding as layout key 'encoding', got 'utf-9'"),
        ({"encoding": "hex"}, "expected the name of an encoding as layout key 'encoding', got 'hex'"),
        ({"result": "total"}, "expected 'relative' or 'absolute' as layout key 'result', got 'total'"),
        ({"infer_tricks": 1}, "expected true or false as layout key 'infer_tricks', got 1"),
        ({"duplicates": "first"}, "as layout key 'duplicates', got 'first'"),
        ({"mp_divisor": 0}, "expected a positive number as layout key 'mp_divisor', got 0"),
        ({"locale": ["es"]}, r"as layout key 'locale', got \['es'\]"),
        (
            {"decimal": ",", "thousands": ","},
            "expected 'decimal' and 'thousands' of a layout to differ, got ',' for both",
        ),
        ({"thousands": "."}, r"expected 'decimal' and 'thousands' of a layout to differ, got '\.' for both"),
        ({"sep": ",", "decimal": ","}, "expected 'decimal' and 'sep' of a layout to differ, got ',' for both"),
        (5, "expected a layout as a mapping or the path of a TOML file, got 5"),
        ([], r"expected a layout as a mapping or the path of a TOML file, got \[\]"),
        ("", "expected a layout as a mapping or the path of a TOML file, got ''"),
        ({"unknown_player": "p000"}, "as layout key 'unknown_player', got 'p000'"),
    ],
)
def test_what_a_layout_cannot_say_is_an_error(layout, reason):
    with pytest.raises(ValueError, match=reason):
        load_layout(layout)


def test_a_file_that_is_not_toml_is_an_error(tmp_path):
    path = tmp_path / "club.toml"
    path.write_text("sep: ;", encoding="utf-8")
    with pytest.raises(ValueError, match=r"expected a layout in TOML, got '.*club\.toml'"):
        load_layout(str(path))


def test_a_header_that_the_file_has_not_is_an_error():
    with pytest.raises(ValueError, match="expected a column 'Hand', as the layout says, got 'Board', 'Contract'"):
        roles_of(["Board", "Contract"], {"Hand": "board"})


def test_what_the_layout_says_goes_before_what_a_header_says():
    roles = roles_of(["Board", "NS/EW", "Declarer"], {"NS/EW": "declarer"})
    assert roles == {1: "declarer", 0: "board"}


def test_a_glued_cell_stands_for_the_contract_and_no_other_is_looked_for():
    assert roles_of(["Board", "Result", "Contract"], {"Result": "contract_result"}) == {
        1: "contract_result",
        0: "board",
    }


@pytest.mark.parametrize("role", [name for name in ROLES if name != "ignore"])
def test_every_role_is_known_by_its_own_name(role):
    assert roles_of([role], {}) == {0: role}


def test_a_table_of_ours_is_taken_by_its_names():
    assert roles_of([*COLUMNS, "mp_ns"], {}) == dict(enumerate([*COLUMNS, "mp_ns"]))


@pytest.mark.parametrize("key", KEYS)
def test_every_key_has_a_line_where_a_layout_is_described(key):
    assert f"\n``{key}``\n" in layout_module.__doc__


@pytest.mark.parametrize(
    ("role", "headers"),
    [
        ("board", ["Board #", "Bd #", "Bd."]),
        ("table", ["Table #"]),
        ("ns", ["NS #", "NS Pair No", "North-South", "North/South", "N-S"]),
        ("ew", ["EW #", "EW Pair No", "East-West", "East/West"]),
        ("vul", ["Vuln"]),
        ("contract", ["Final Contract"]),
        ("published_score_ns", ["NS Points", "N/S Score", "NS Score", "Score (NS)"]),
        ("published_pct_ns", ["N/S %", "NS %"]),
        ("published_imps_ns", ["X-IMPs"]),
    ],
)
def test_a_header_that_can_mean_one_thing_is_known(role, headers):
    assert [roles_of([header], {}) for header in headers] == [{0: role}] * len(headers)


@pytest.mark.parametrize(
    "header", ["NS-", "EW-", "NS+", "NS -", "Score-", "MP-", "MP −", "-NS", "Points", "Bid", "Made", "Dir"]
)
def test_a_header_that_can_mean_several_things_is_not_known(header):
    assert not is_known(header)
    assert roles_of(["Board", header], {}) == {0: "board"}


def test_the_sign_of_a_header_tells_it_from_another():
    columns = {"NS+": "score_plus_ns", "NS-": "score_minus_ns"}
    assert roles_of(["NS", "ns -", "ns +"], columns) == {0: "ns", 1: "score_minus_ns", 2: "score_plus_ns"}
    with pytest.raises(ValueError, match="expected a column 'NS', as the layout says"):
        roles_of(["NS-"], {"NS": "ns"})


def test_the_layout_that_the_readme_shows_is_one():
    text = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```toml\n# layout\.toml\n(.*?)```", text, re.DOTALL)
    layout = load_layout(tomllib.loads(shown))
    assert roles_of([*layout["columns"], "By"], layout["columns"])[3] == "contract"
