"""A table of results written as CSV reads back as it was."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bridge_analytics as ba
from bridge_analytics.cards import format_deals
from bridge_analytics.reading import results_in_parts

OF_THE_FILE = ["source", "source_row", "vul_source"]
DEALS = format_deals(ba.random_deals(3, seed=5)).tolist()

text = st.text(st.characters(blacklist_categories=("Cc", "Cs")), max_size=8)
label = st.none() | text
own = label.map(lambda word: word if word is None or word.strip(", ;|").strip() else None)
number = st.none() | st.floats(-9e6, 9e6, allow_nan=False).map(lambda value: round(value, 3))
seat = st.sampled_from(ba.SEATS)


@st.composite
def rows(draw):
    """The cells of one result, of any status."""
    contract = draw(st.none() | st.sampled_from(ba.CONTRACTS))
    bid = contract not in (None, "Pass")
    ruled = contract is None and draw(st.booleans())
    return {
        **{
            name: draw(label) for name in ("event", "session", "section", "round", "table", "ns", "ew", "north", "west")
        },
        "room": draw(st.none() | st.sampled_from(["open", "closed"])),
        "board_label": draw(label | st.integers(0, 99).map(str)),
        "dealer": draw(st.none() | seat),
        "vul": draw(st.none() | st.sampled_from(ba.VULS)),
        "contract": contract,
        "declarer": draw(seat) if bid else None,
        "tricks": draw(st.none() | st.integers(0, 13)) if bid else None,
        "lead": draw(st.none() | st.sampled_from(["SK", "HT", "D2"])),
        "auction": draw(label),
        "play": draw(label),
        "deal": draw(st.none() | st.sampled_from(DEALS)),
        "status": draw(st.sampled_from(["not_played", "sit_out", "unknown", None])) if contract is None else None,
        "adjusted_ns": draw(label) if ruled else None,
        "adjusted_ew": draw(st.sampled_from(["A+", "61.8%", "+3 IMP"])) if ruled else None,
        **{f"published_{name}_ns": draw(number) for name in ("score", "mp", "pct", "imps")},
        "Note": draw(own),
    }


def as_table(found):
    """Results of cells; a column of the file's own is one of texts."""
    evening = pd.DataFrame(found or [{"board": 1, "contract": "4S"}])
    return ba.sift_results(evening.assign(Note=evening["Note"].astype("str")) if found else evening[:0])[0]


tables = st.lists(rows(), max_size=5).map(as_table)
properties = settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def bare(table):
    """The table without what belongs to the file it was read from."""
    return table.drop(columns=OF_THE_FILE)


encodings = st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])


@properties
@given(table=tables, end=st.sampled_from(["\n", "\r\n"]), sep=st.sampled_from(",;\t|"), encoding=encodings)
def test_a_table_written_as_csv_is_read_back(table, end, sep, encoding, tmp_path):
    table.to_csv(tmp_path / "table.csv", index=False, sep=sep, lineterminator=end, encoding=encoding)
    back = ba.sift_results(tmp_path / "table.csv", layout={"sep": sep})[0]
    pd.testing.assert_frame_equal(bare(back), bare(table), check_categorical=True)


@pytest.mark.parametrize("name", ["'t Hooft", "'s-Hertogenbosch", '="', "=", "''", "NA", "None", "nan", "-1", "0x7"])
def test_a_name_is_kept_as_it_is_written(name, tmp_path):
    table = pd.DataFrame({"board": [1], "contract": ["Pass"], "ns": [name]})
    table.to_csv(tmp_path / "table.csv", index=False)
    assert ba.read_results(tmp_path / "table.csv")["ns"].tolist() == [name]


def test_a_file_in_parts_is_the_file_in_one_piece(tmp_path, monkeypatch):
    monkeypatch.setattr("bridge_analytics.csv_lines._BLOCK", 500)
    draw = np.random.default_rng(3)
    lines = ["Board,NS,Contract,By,Result,Remarks"]
    for row in range(400):
        remark = ['"two\nlines"', '"a ""quote"""', "", "late", '"open'][draw.choice(5, p=[0.1, 0.1, 0.3, 0.49, 0.01])]
        lines.append(f"{row % 30 + 1},{row},4S,N,{'=' if row > 350 else 10},{remark}")
    (tmp_path / "long.csv").write_text("\n".join(lines), encoding="utf-8")
    whole, faults = ba.sift_results(tmp_path / "long.csv")
    parts, found = zip(*results_in_parts(tmp_path / "long.csv"), strict=True)
    assert len(parts) > 10
    assert len(faults) > 0
    together = ba.concat_results([part for part in parts if len(part)])
    pd.testing.assert_frame_equal(together, whole)
    told = faults[faults["rule"] != "twice_on_a_deal"]
    assert pd.concat(found)["source_row"].tolist() == told["source_row"].tolist()
