"""Files to files: the same numbers as from memory, whatever the files are, whoever does the work, whenever it stops."""

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet

from bridge_analytics import csv_blocks, parquet_blocks
from bridge_analytics.batch import read_faults, score_files, verify
from bridge_analytics.batch_commands import score_folder
from bridge_analytics.buckets import read_bucket
from bridge_analytics.checks import ResultsError
from bridge_analytics.manifest import locked
from bridge_analytics.notation import CONTRACTS
from bridge_analytics.results import check_results, read_results, score_results, sift_results
from bridge_analytics.table import concat_results

ROOT = Path(__file__).resolve().parents[1]
SEASON, SESSION, FAULTY = (ROOT / "data" / name for name in ("season.parquet", "session.csv", "session_faults.csv"))
FORMS = ("matchpoints", "butler", "cross_imps")
HEADER = "Event,Board,NS,EW,Contract,By,Tricks"


@pytest.fixture
def small_blocks(monkeypatch):
    """Cut files of a few thousand bytes into several blocks and pieces."""
    monkeypatch.setattr(csv_blocks, "BLOCK", 4_000)
    monkeypatch.setattr(csv_blocks, "PIECE", 8_000)
    monkeypatch.setattr(parquet_blocks, "PIECE", 500)


def played(rows, *, seed=1, event="Open", size=8):
    """Rows of a club's file, eight results a board, the boards mixed."""
    draw = np.random.default_rng(seed)
    contract = draw.integers(0, 106, rows)
    tricks = np.clip(6 + (contract + 14) // 15 + draw.integers(-3, 2, rows), 0, 13)
    seats = draw.choice(list("NESW"), rows)
    lines = [
        f"{event} {deal // 30},{deal % 30 + 1},{pair + 1},{pair + 20},Pass,,"
        if not code
        else f"{event} {deal // 30},{deal % 30 + 1},{pair + 1},{pair + 20},{CONTRACTS[code]},{seat},{won}"
        for deal, pair, code, seat, won in zip(
            np.arange(rows) // size, np.arange(rows) % size, contract, seats, tricks, strict=True
        )
    ]
    return [lines[place] for place in draw.permutation(rows)]


def write_csv(path, lines, header=HEADER):
    path.write_text("\n".join([header, *lines]) + "\n")
    return path


def in_memory(files, forms=(), **options):
    """The files scored together in memory, by source and row."""
    scored = score_results(concat_results([sift_results(file)[0] for file in files]), forms=forms, **options)
    return by_row(scored)


def from_folder(folder):
    return by_row(pd.concat([pd.read_parquet(file) for file in sorted(Path(folder).glob("*.parquet"))]))


def by_row(table):
    plain = table.assign(**{name: table[name].astype("str") for name in table.select_dtypes("category")})
    return plain.sort_values(["source", "source_row"], ignore_index=True)


def assert_same_scores(found, expected, *, without=()):
    shared = [name for name in expected if name not in ("deal_id", *without)]
    pd.testing.assert_frame_equal(found[shared], expected[shared], check_dtype=False)


def same_deals(found, expected):
    pairs = pd.DataFrame({"a": found["deal_id"], "b": expected["deal_id"]}).drop_duplicates()
    return pairs["a"].is_unique and pairs["b"].is_unique


def test_rows_without_a_comparison_stay_in_their_order(tmp_path, small_blocks):
    file = write_csv(tmp_path / "club.csv", played(1_000))
    made = score_files(file, tmp_path / "scored")
    assert len(made) > 2
    found = pd.concat([read_results(tmp_path / "scored" / name) for name in made["file"]], ignore_index=True)
    assert found["source_row"].tolist() == list(range(2, 1_002))
    assert_same_scores(by_row(found), in_memory([file]), without=["mp_ok"])


@pytest.mark.parametrize("file", [SESSION, SEASON, FAULTY], ids=lambda file: file.name)
def test_fields_from_a_folder_are_those_from_memory(tmp_path, file):
    if file == SEASON:
        file = tmp_path / "season.parquet"
        pd.read_parquet(SEASON).head(3_000).to_parquet(file)
    score_files(file, tmp_path / "scored", forms=FORMS, layout=layout_of(file))
    results = sift_results(file, layout=layout_of(file))[0]
    found, expected = from_folder(tmp_path / "scored"), by_row(score_results(results, forms=FORMS))
    assert_same_scores(found, expected)
    assert same_deals(found, expected)


def layout_of(file):
    layout = file.with_suffix(".toml")
    return layout if layout.exists() else None


def test_of_one_deal_nobody_says_who_comes_twice(tmp_path):
    file = write_csv(tmp_path / "club.csv", [f"Open,1,{pair},{pair + 20},4S,N,10" for pair in (1, 2, 3, 4, 1)])
    score_files(file, tmp_path / "scored", forms="matchpoints")
    assert read_faults(tmp_path / "scored").empty
    assert check_results(file).empty


def test_a_deal_is_compared_over_all_files_and_buckets(tmp_path, small_blocks, monkeypatch):
    lines = played(1_200)
    files = [write_csv(tmp_path / f"{place}.csv", lines[place::3]) for place in range(3)]
    monkeypatch.setattr("bridge_analytics.batch.rows_of_bucket", lambda room: 300)
    made = score_files([*files], tmp_path / "scored", forms=FORMS)
    assert len(made) == 4
    found, expected = from_folder(tmp_path / "scored"), in_memory(files, FORMS)
    assert_same_scores(found, expected)
    assert same_deals(found, expected)


def test_the_rows_of_a_deal_stand_together(tmp_path, small_blocks):
    file = write_csv(tmp_path / "club.csv", played(1_000))
    made = score_files(file, tmp_path / "scored", forms="matchpoints")
    deals = pd.concat([read_results(tmp_path / "scored" / name) for name in made["file"]])["deal_id"].to_numpy()
    assert (np.flatnonzero(np.diff(deals)).size + 1) == np.unique(deals).size == 125


def test_parquet_gives_what_csv_gives(tmp_path, small_blocks):
    file = write_csv(tmp_path / "club.csv", played(1_500))
    read_results(file).drop(columns=["source", "source_row"]).to_parquet(tmp_path / "club.parquet", row_group_size=400)
    for name in ("club.csv", "club.parquet"):
        score_files(tmp_path / name, tmp_path / Path(name).suffix[1:], forms="cross_imps")
    csv, parquet = from_folder(tmp_path / "csv"), from_folder(tmp_path / "parquet")
    assert_same_scores(parquet, csv, without=["source", "source_row", "vul_source"])
    assert (parquet["source_row"] == csv["source_row"] - 1).all()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_table_of_ours_keeps_the_file_and_the_line_of_its_rows(tmp_path, small_blocks, ending):
    file = write_csv(tmp_path / "club.csv", played(400))
    results, table = read_results(file), tmp_path / f"table.{ending}"
    results.to_parquet(table) if ending == "parquet" else results.to_csv(table, index=False)
    score_files(table, tmp_path / "scored", forms="matchpoints")
    assert_same_scores(from_folder(tmp_path / "scored"), in_memory([file], "matchpoints"))


@pytest.mark.parametrize("lines", [[], ["Open 9,1,5,7,A6040,,"]], ids=["plain", "with a ruling"])
def test_results_that_were_scored_before_are_scored_anew(tmp_path, lines):
    file = write_csv(tmp_path / "club.csv", [*played(200), *lines])
    scored = score_results(read_results(file), forms="matchpoints", edition="duplicate-before-1987")
    scored.to_parquet(tmp_path / "before.parquet")
    score_files(tmp_path / "before.parquet", tmp_path / "scored")
    found = from_folder(tmp_path / "scored")
    assert not {"deal_id", "mp_ns"} & set(found)
    assert_same_scores(found, in_memory([file]), without=["mp_ok"])


def test_a_file_is_scored_from_where_fsspec_has_it(tmp_path):
    fsspec = pytest.importorskip("fsspec", reason="needs fsspec: pip install bridge-analytics[distributed]")
    lines = played(200)
    local = write_csv(tmp_path / "club.csv", lines)
    with fsspec.open("memory://boards/club.csv", "wb") as file:
        file.write(local.read_bytes())
    made = score_files("memory://boards/*.csv", "memory://scored", forms="matchpoints")
    with fsspec.open(f"memory://scored/{made['file'][0]}") as file:
        found = by_row(pd.read_parquet(file))
    assert_same_scores(found, in_memory([local], "matchpoints"), without=["source"])
    assert verify("memory://scored")["ok"].all()


UNUSUAL = {
    "quoted": [f'"{line.replace(",", chr(34) + "," + chr(34))}"' for line in played(300)],
    "a name with a comma": [*played(300), 'Open 9,1,"Smith, J",7,4S,N,10'],
    "a quote inside a cell": [*played(300), 'Open 9,1,5" tall,7,4S,N,10'],
    "a cell over two lines": [*played(300), 'Open 9,1,"two\nlines",7,4S,N,10', *played(50, event="Later")],
    "too few cells": [*played(300), "Open 9,1,5,7,4S,N", *played(50, event="Later")],
    "an empty line": [*played(300), "", ",,,,,,", *played(50, event="Later")],
    "headers again": [*played(300), HEADER, *played(50, event="Later")],
    "a contract that is none": [*played(300), "Open 9,1,5,7,8S,N,10", *played(50, event="Later")],
    "a ruling": [*played(300), "Open 9,1,5,7,A6040,,", *played(50, event="Later")],
    "blanks around cells": [line.replace(",", " , ") for line in played(300)],
    "a label that is no number": [*played(300), "Open 9,1-1,5,7,4S,N,10"],
    "a numeral with a nought": [*played(300), "Open 9,01,05,7,4S,N,10"],
    "a passed-out board with a declarer": [*played(300), "Open 9,1,5,7,Pass,N,0"],
}


@pytest.mark.parametrize("case", UNUSUAL)
def test_what_is_not_plain_is_read_as_ever(tmp_path, small_blocks, case):
    file = write_csv(tmp_path / "club.csv", UNUSUAL[case])
    score_files(file, tmp_path / "scored", forms="matchpoints")
    results, faults = sift_results(file)
    assert_same_scores(from_folder(tmp_path / "scored"), by_row(score_results(results)))
    pd.testing.assert_frame_equal(read_faults(tmp_path / "scored"), faults)


def test_a_file_of_every_fault_has_the_faults_that_a_check_finds(tmp_path, small_blocks):
    layout = layout_of(FAULTY)
    score_files(FAULTY, tmp_path / "scored", forms="matchpoints", layout=layout)
    found, expected = (
        faults.sort_values(["source_row", "rule"], kind="stable", ignore_index=True)
        for faults in (read_faults(tmp_path / "scored"), check_results(FAULTY, layout=layout))
    )
    assert len(expected) > 20
    pd.testing.assert_frame_equal(found, expected)


@pytest.mark.parametrize("late", [True, False], ids=["a sign late in the file", "no sign"])
def test_whether_results_have_signs_is_told_from_the_whole_file(tmp_path, small_blocks, late):
    lines = [f"{board % 30 + 1},{board // 30},4S,N,10" for board in range(1_500)]
    lines += ["1,77,4S,N,+1"] * late
    file = write_csv(tmp_path / "club.csv", lines, "Board,NS,Contract,By,Result")
    if late:
        with pytest.raises(ResultsError):
            read_results(file)
    score_files(file, tmp_path / "scored")
    found = read_faults(tmp_path / "scored")
    assert len(found) == late * 1_500
    pd.testing.assert_frame_equal(found, check_results(file, by=["board", "ns"]))


def test_columns_of_a_files_own_are_kept_in_every_part(tmp_path, monkeypatch):
    monkeypatch.setattr("bridge_analytics.batch.rows_of_bucket", lambda room: 100)
    first = write_csv(tmp_path / "a.csv", [f"{line},sun" for line in played(200)], f"{HEADER},Weather")
    second = write_csv(tmp_path / "b.csv", played(200, event="Away"))
    made = score_files([first, second], tmp_path / "scored", forms="matchpoints")
    parts = [pd.read_parquet(tmp_path / "scored" / name) for name in made["file"]]
    assert len(parts) == 4
    assert all(part["Weather"].notna().equals(part["source"] == str(first)) for part in parts)


def test_a_second_run_does_nothing_again(tmp_path):
    file = write_csv(tmp_path / "club.csv", played(300))
    first = score_files(file, tmp_path / "scored", forms="matchpoints")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "scored").glob("*.parquet")}
    second = score_files(file, tmp_path / "scored", forms="matchpoints")
    pd.testing.assert_frame_equal(first, second)
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "scored").glob("*.parquet")}


def test_a_new_file_is_added_and_a_changed_one_is_scored_again(tmp_path):
    boards = tmp_path / "boards"
    boards.mkdir()
    for name in "ab":
        write_csv(boards / f"{name}.csv", played(100, event=name))
    score_files(boards, tmp_path / "scored")
    kept = (tmp_path / "scored" / "a.parquet").stat().st_mtime_ns
    write_csv(boards / "b.csv", played(120, event="b"))
    write_csv(boards / "c.csv", played(50, event="c"))
    made = score_files(boards, tmp_path / "scored")
    assert made[["file", "rows"]].values.tolist() == [["a.parquet", 100], ["b.parquet", 120], ["c.parquet", 50]]
    assert (tmp_path / "scored" / "a.parquet").stat().st_mtime_ns == kept


def test_one_more_file_is_another_field(tmp_path):
    lines = played(400)
    files = [write_csv(tmp_path / f"{place}.csv", lines[place::2]) for place in range(2)]
    score_files(files[:1], tmp_path / "scored", forms="matchpoints")
    score_files(files, tmp_path / "scored", forms="matchpoints")
    assert_same_scores(from_folder(tmp_path / "scored"), in_memory(files, "matchpoints"))


def test_a_corrupt_file_and_one_without_contracts_are_named_and_the_others_are_done(tmp_path):
    boards = tmp_path / "boards"
    boards.mkdir()
    good = write_csv(boards / "good.csv", played(100))
    read_results(good).to_parquet(boards / "torn.parquet")
    (boards / "torn.parquet").write_bytes((boards / "torn.parquet").read_bytes()[:-2_000])
    write_csv(boards / "letter.csv", ["secretary,1"], "Dear,Number")
    for forms in ((), ("matchpoints",)):
        target = tmp_path / f"scored-{len(forms)}"
        with pytest.raises(ResultsError) as caught:
            score_files(boards, target, forms=forms)
        rules = caught.value.faults.set_index("source")["rule"]
        assert rules.to_dict() == {
            str(boards / "letter.csv"): "header_missing",
            str(boards / "torn.parquet"): "file_unreadable",
        }
        assert_same_scores(from_folder(target), in_memory([good], forms), without=["mp_ok"])
        assert verify(target)["ok"].all()
        assert not json.loads((target / "_manifest.json").read_text())["finished"]


@pytest.mark.parametrize("forms", [(), "matchpoints"], ids=["scores", "matchpoints"])
def test_a_file_that_breaks_off_leaves_none_of_its_pieces_nor_of_their_faults(tmp_path, small_blocks, forms):
    table = read_results(write_csv(tmp_path / "club.csv", played(1_500))).astype({"contract": "str"})
    table.loc[3, "contract"] = "8S"
    table.to_parquet(tmp_path / "club.parquet", row_group_size=500)
    whole = bytearray((tmp_path / "club.parquet").read_bytes())
    third = parquet.ParquetFile(tmp_path / "club.parquet").metadata.row_group(2).column(0).data_page_offset
    whole[third : third + 4_000] = bytes(4_000)
    (tmp_path / "club.parquet").write_bytes(bytes(whole))
    with pytest.raises(ResultsError, match=r"club\.parquet"):
        score_files(tmp_path / "club.parquet", tmp_path / "scored", forms=forms)
    assert not list((tmp_path / "scored").glob("*.parquet"))
    assert read_faults(tmp_path / "scored")["rule"].tolist() == ["file_unreadable"]


@pytest.mark.parametrize(("by", "lost"), [(["week", "board"], "['week']"), ("deal_id", "['deal_id']"), ([], "[]")])
def test_a_column_that_no_file_has_cannot_tell_deals_apart(tmp_path, by, lost):
    file = write_csv(tmp_path / "club.csv", played(50))
    with pytest.raises(ValueError, match="by to name columns of the results") as caught:
        score_files(file, tmp_path / "scored", forms="matchpoints", by=by)
    assert str(caught.value).endswith(f"got {lost}")


def test_a_column_that_one_file_lacks_is_missing_there(tmp_path, monkeypatch):
    monkeypatch.setattr("bridge_analytics.batch.rows_of_bucket", lambda room: 100)
    lines = played(300)
    weekly = [f"{line},{place % 2}" for place, line in enumerate(lines[:200])]
    files = [write_csv(tmp_path / "a.csv", weekly, f"{HEADER},Week"), write_csv(tmp_path / "b.csv", lines[200:])]
    by = ["event", "Week", "board"]
    score_files(files, tmp_path / "scored", forms="matchpoints", by=by)
    found, expected = from_folder(tmp_path / "scored"), in_memory(files, "matchpoints", by=by)
    assert_same_scores(found, expected)
    assert same_deals(found, expected)


def test_deals_are_told_apart_by_a_day(tmp_path, monkeypatch):
    monkeypatch.setattr("bridge_analytics.batch.rows_of_bucket", lambda room: 50)
    table = read_results(write_csv(tmp_path / "club.csv", played(200)))
    table["day"] = pd.Timestamp("2026-01-01") + pd.to_timedelta(np.arange(200) % 2, "D")
    table.to_parquet(tmp_path / "club.parquet")
    by = ["event", "day", "board"]
    score_files(tmp_path / "club.parquet", tmp_path / "scored", forms="matchpoints", by=by)
    expected = by_row(score_results(table, by=by))
    assert_same_scores(from_folder(tmp_path / "scored"), expected)


@pytest.mark.parametrize(
    ("values", "kept"), [([1, 2], ["1", "2"]), ([[1], None], ["[1]", None])], ids=["numbers", "lists"]
)
def test_a_column_that_files_hold_in_several_types_becomes_a_text(tmp_path, values, kept):
    text = write_csv(tmp_path / "a.csv", [f"{line},sun" for line in played(16)], f"{HEADER},Weather")
    table = read_results(write_csv(tmp_path / "b.csv", played(16, event="Away"))).assign(source="b", Weather=8 * values)
    table.to_parquet(tmp_path / "b.parquet")
    score_files([text, tmp_path / "b.parquet"], tmp_path / "scored", forms="matchpoints")
    weather = from_folder(tmp_path / "scored").set_index("source")["Weather"]
    assert set(weather[str(text)]) == {"sun"}
    assert weather["b"].astype(object).where(weather["b"].notna(), None).tolist() == 8 * kept


def test_results_without_a_board_fill_no_bucket_by_themselves(tmp_path, monkeypatch):
    monkeypatch.setattr("bridge_analytics.batch.rows_of_bucket", lambda room: 200)
    lost = [f"Open 1,,{place},{place + 500},4S,N,10" for place in range(1, 251)]
    file = write_csv(tmp_path / "club.csv", [*played(600), *lost])
    score_files(file, tmp_path / "scored", forms="matchpoints")
    found, expected = from_folder(tmp_path / "scored"), in_memory([file], "matchpoints")
    assert_same_scores(found, expected)
    assert same_deals(found, expected)


def test_files_are_in_their_order_whichever_is_done_first(tmp_path, monkeypatch):
    files = [write_csv(tmp_path / f"{name}.csv", played(40, event=name)) for name in "ab"]
    score_files(files, tmp_path / "forward", forms="matchpoints")
    monkeypatch.setattr(
        "bridge_analytics.batch.done_steps",
        lambda step, tasks, client, threads: ((task, step(task)) for task in reversed(tasks)),
    )
    score_files(files, tmp_path / "backward", forms="matchpoints")
    assert data_of(tmp_path / "forward") == data_of(tmp_path / "backward")


def test_a_file_named_in_two_ways_is_scored_once(tmp_path, monkeypatch):
    file = write_csv(tmp_path / "club.csv", played(20))
    monkeypatch.chdir(tmp_path)
    assert score_files(["club.csv", file, tmp_path], tmp_path / "scored")["rows"].tolist() == [20]


def test_a_file_that_was_none_is_forgotten_when_it_is_gone(tmp_path):
    boards = tmp_path / "boards"
    boards.mkdir()
    write_csv(boards / "good.csv", played(20))
    letter = write_csv(boards / "letter.csv", ["secretary,1"], "Dear,Number")
    with pytest.raises(ResultsError, match=r"letter\.csv"):
        score_files(boards, tmp_path / "scored")
    letter.unlink()
    assert score_files(boards, tmp_path / "scored")["rows"].tolist() == [20]
    assert not len(read_faults(tmp_path / "scored"))


def test_a_file_that_is_changed_while_it_is_read_is_told_and_scored_again(tmp_path):
    file = write_csv(tmp_path / "club.csv", played(20))
    with pytest.raises(ValueError, match=r"club\.csv' changed while it was read"):
        score_files(file, tmp_path / "scored", progress=lambda rows, share: write_csv(file, played(30)))
    assert score_files(file, tmp_path / "scored")["rows"].tolist() == [30]


def test_a_data_file_that_is_still_to_be_made_is_not_verified(tmp_path):
    file = write_csv(tmp_path / "club.csv", played(20))
    score_files(file, tmp_path / "scored")
    manifest = tmp_path / "scored" / "_manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"files": {"club.parquet": None}}))
    assert verify(tmp_path / "scored")[["file", "ok"]].values.tolist() == [["club.parquet", False]]


def test_a_manifest_that_was_torn_is_named(tmp_path):
    file = write_csv(tmp_path / "club.csv", played(20))
    score_files(file, tmp_path / "scored")
    manifest = tmp_path / "scored" / "_manifest.json"
    manifest.write_text(manifest.read_text()[:100])
    with pytest.raises(ValueError, match=r"expected .*_manifest\.json as it was written"):
        score_files(file, tmp_path / "scored")


def test_at_the_shell_the_good_files_are_done_and_the_faults_are_written(tmp_path, capsys):
    boards, faults = tmp_path / "boards", tmp_path / "faults.csv"
    boards.mkdir()
    write_csv(boards / "good.csv", [*played(20), "Open 9,1,5,7,8S,N,10"])
    letter = write_csv(boards / "letter.csv", ["secretary,1"], "Dear,Number")
    assert score_folder([str(boards)], str(tmp_path / "scored"), faults, "duplicate-1987")
    assert set(pd.read_csv(faults)["rule"]) == {"header_missing", "contract_unreadable"}
    told = capsys.readouterr().out
    assert "cannot be read (letter.csv)" in told
    assert re.search(r"^results +20$", told, re.MULTILINE)
    with pytest.raises(ResultsError):
        score_folder([str(letter)], str(tmp_path / "none"), None, "duplicate-1987")


def test_what_is_not_clear_from_the_rows_is_asked(tmp_path):
    lines = [
        f"{turn},{board},{pair},{pair + 20},4S,N,10" for turn in (1, 2) for board in (1, 2) for pair in range(1, 9)
    ]
    file = write_csv(tmp_path / "rounds.csv", lines, "Round,Board,NS,EW,Contract,By,Tricks")
    with pytest.raises(ValueError, match=r"by=\['round', 'board'\]"):
        score_files(file, tmp_path / "scored", forms="matchpoints")
    score_files(file, tmp_path / "scored", forms="matchpoints", by=["round", "board"])
    assert from_folder(tmp_path / "scored")["deal_id"].nunique() == 4


def test_events_are_not_pooled_though_they_have_no_board_in_common(tmp_path):
    lines = [f"E{board % 2},{board},{pair},{pair + 20},4S,N,10" for board in range(1, 9) for pair in range(1, 4)]
    file = write_csv(tmp_path / "events.csv", lines)
    for score in (
        lambda: score_results(read_results(file), by="board"),
        lambda: score_files(file, tmp_path / "to", by="board", forms="butler"),
    ):
        with pytest.raises(ValueError, match="expected by to name 'event' too"):
            score()


def test_a_folder_scored_in_another_way_is_refused(tmp_path):
    file = write_csv(tmp_path / "club.csv", played(100))
    score_files(file, tmp_path / "scored")
    with pytest.raises(ValueError, match=r"got one with forms = \[\] \(this is \['butler'\]\)"):
        score_files(file, tmp_path / "scored", forms="butler")


def test_a_data_file_that_was_changed_since_is_noticed(tmp_path):
    file = write_csv(tmp_path / "club.csv", played(100))
    made = score_files(file, tmp_path / "scored")
    path = tmp_path / "scored" / made["file"][0]
    data = bytearray(path.read_bytes())
    data[200] ^= 1
    path.write_bytes(bytes(data))
    assert not verify(tmp_path / "scored")["ok"].any()
    path.write_bytes(bytes(data) + b"more")
    with pytest.raises(ValueError, match="remove it to have it made again"):
        score_files(file, tmp_path / "scored")
    path.unlink()
    score_files(file, tmp_path / "scored")
    assert verify(tmp_path / "scored")["ok"].all()


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path):
    file = write_csv(tmp_path / "club.csv", played(100))
    with pytest.raises(ValueError, match="expected an empty folder"):
        score_files(file, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["club.csv"]


def test_two_runs_into_one_folder_are_refused(tmp_path):
    file = write_csv(tmp_path / "club.csv", played(100))
    with locked(str(tmp_path / "scored")), pytest.raises(ValueError, match="one run at a time"):
        score_files(file, tmp_path / "scored")
    assert len(score_files(file, tmp_path / "scored")) == 1


def test_a_partition_that_is_not_what_was_written_is_noticed(tmp_path, monkeypatch):
    file = write_csv(tmp_path / "club.csv", played(500))
    monkeypatch.setattr("bridge_analytics.batch.rows_of_bucket", lambda room: 100)
    monkeypatch.setattr(
        "bridge_analytics.batch_tasks.read_bucket",
        lambda files, bucket, by, count: read_bucket(files, bucket, by, count + 1),
    )
    with pytest.raises(ValueError, match="of others among them"):
        score_files(file, tmp_path / "scored", forms="matchpoints")


@pytest.mark.parametrize("memory", ["plenty", "2 cows", "10MB", -1])
def test_memory_is_a_size(tmp_path, memory):
    file = write_csv(tmp_path / "club.csv", played(10))
    with pytest.raises(ValueError, match="memory"):
        score_files(file, tmp_path / "scored", memory=memory)


def test_progress_goes_up_to_the_end(tmp_path, small_blocks):
    file, told = write_csv(tmp_path / "club.csv", played(1_000)), []
    score_files(file, tmp_path / "scored", forms="matchpoints", progress=lambda rows, share: told.append((rows, share)))
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert told[-1] == (1_000, 1)


RUN = """
    import sys
    from bridge_analytics import batch, csv_blocks
    csv_blocks.BLOCK, csv_blocks.PIECE = 4_000, 8_000
    batch.rows_of_bucket = lambda room: 500
    batch.score_files(sys.argv[1], sys.argv[2], forms=sys.argv[3:])
"""


def start(*words, before=""):
    """A run in a process of its own, in pieces as small as those of the fixture."""
    code = textwrap.dedent(before) + textwrap.dedent(RUN)
    return subprocess.Popen([sys.executable, "-c", code, *map(str, words)], cwd=ROOT)


KILL = """
    import os, signal
    done, replace = [], os.replace
    def stop(old, new):
        done.extend([new] * new.endswith("{}"))
        if len(done) > 2:
            os.kill(os.getpid(), signal.SIGKILL)
        replace(old, new)
    os.replace = stop
"""
"""Killed when two files are whole, and a third is written but has not its name yet."""


def data_of(folder):
    return {path.name: path.read_bytes() for path in Path(folder).glob("*.parquet")}


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="only POSIX kills without asking")
@pytest.mark.parametrize("forms", [(), ("matchpoints",)], ids=["scores", "matchpoints"])
def test_a_run_that_was_killed_goes_on_to_the_same_bytes(tmp_path, small_blocks, monkeypatch, forms):
    monkeypatch.setattr("bridge_analytics.batch.rows_of_bucket", lambda room: 500)
    file = write_csv(tmp_path / "club.csv", played(2_000))
    score_files(file, tmp_path / "whole", forms=forms)
    for ending in (".arrow", ".parquet") if forms else (".parquet",):
        assert start(file, tmp_path / "broken", *forms, before=KILL.format(ending)).wait() == -signal.SIGKILL
    assert list((tmp_path / "broken").rglob("_unfinished*"))
    assert data_of(tmp_path / "broken") != data_of(tmp_path / "whole")
    score_files(file, tmp_path / "broken", forms=forms)
    assert data_of(tmp_path / "broken") == data_of(tmp_path / "whole")
    assert not [path.name for path in (tmp_path / "broken").iterdir() if path.name.startswith(("_unfinished", "_work"))]


@pytest.mark.skipif(sys.platform == "win32", reason="only POSIX limits the size of files")
def test_a_full_disk_leaves_nothing_half_written_and_the_run_goes_on_later(tmp_path, small_blocks, capfd):
    file = write_csv(tmp_path / "club.csv", played(200))
    full = """
        import resource, signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000))
    """
    assert start(file, tmp_path / "scored", before=full).wait() == 1
    error = capfd.readouterr().err
    assert "OSError: [Errno 27] File too large" in error
    assert ".parquet'" in error
    assert not [path for path in (tmp_path / "scored").rglob("*") if path.suffix == ".parquet"]
    score_files(file, tmp_path / "scored")
    assert verify(tmp_path / "scored")["ok"].all()


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="needs Dask: pip install bridge-analytics[distributed]")
    environment = {"PYTHONPATH": str(ROOT)}
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=":0", env=environment) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("forms", [(), FORMS], ids=["scores", "all forms"])
def test_a_cluster_gives_what_one_machine_gives(tmp_path, small_blocks, monkeypatch, cluster, forms):
    monkeypatch.setattr("bridge_analytics.batch.rows_of_bucket", lambda room: 300)
    file = write_csv(tmp_path / "club.csv", played(600))
    score_files(file, tmp_path / "here", forms=forms)
    score_files(file, tmp_path / "there", forms=forms, client=cluster)
    here, there = from_folder(tmp_path / "here"), from_folder(tmp_path / "there")
    pd.testing.assert_frame_equal(here, there)


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_finishes_though_a_worker_is_killed(tmp_path, small_blocks, monkeypatch, cluster):
    monkeypatch.setattr("bridge_analytics.batch.rows_of_bucket", lambda room: 100)
    file = write_csv(tmp_path / "club.csv", played(800))
    killed = []

    def kill_one(rows, share):
        if share > 0.5 and not killed:
            killed.append(next(iter(cluster.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    score_files(file, tmp_path / "scored", forms="matchpoints", client=cluster, progress=kill_one)
    assert killed
    assert not [path.name for path in (tmp_path / "scored").rglob("_unfinished*")]
    assert_same_scores(from_folder(tmp_path / "scored"), in_memory([file], "matchpoints"))
    assert verify(tmp_path / "scored")["ok"].all()


@pytest.mark.parametrize("forms", [(), ("matchpoints",)], ids=["scores", "matchpoints"])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_without_results_is_no_fault(tmp_path, ending, forms):
    full, empty = write_csv(tmp_path / "full.csv", played(20)), write_csv(tmp_path / "empty.csv", [])
    if ending == "parquet":
        read_results(empty).to_parquet(tmp_path / "empty.parquet")
        empty.unlink()
    made = score_files([full, tmp_path / f"empty.{ending}"], tmp_path / "scored", forms=forms)
    assert made["rows"].sum() == 20
    assert not len(read_faults(tmp_path / "scored"))
