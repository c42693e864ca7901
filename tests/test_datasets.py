"""Real events: the published files are the right ones, and a folder of them is one table."""

import builtins
import gzip
import hashlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bridge_analytics import datasets
from bridge_analytics.results import score_results

ROUND_ONE = "1|1|31|4|15|9|3N|S|9|H4\n1|1|8|2|7|3|4SX|E|9|D2\n"
ROUND_TWO = "2|1|31|8|15|7|P||0\n2|1|4|2|9|3|2H|N|8|S5\n"
CSV = "round,board,north,east,south,west,contract,declarer,tricks,lead\n1,1,p031,p004,p015,p009,3N,S,9,H4\n"


@pytest.fixture
def pooch():
    return pytest.importorskip("pooch", reason="needs the extra data")


@pytest.fixture
def published(tmp_path, monkeypatch):
    """A list of two events whose files stand in a copy of their repository."""
    copy = tmp_path / "copy"
    lines = ['revision = "abc"', 'address = "https://files.example/{revision}/{path}"', "[events]"]
    for event, path, text in (("one", "data/A Cup/scores.txt", ROUND_ONE), ("two", "data/B/scores.txt", ROUND_TWO)):
        file = copy / "abc" / path
        file.parent.mkdir(parents=True)
        file.write_bytes(text.encode())
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        lines.append(f'{event} = {{ path = "{path}", bytes = {len(text)}, sha256 = "{sha256}" }}')
    listed = tmp_path / "listed.toml"
    listed.write_text("\n".join(lines))
    monkeypatch.setattr(datasets, "_FILES", listed)
    return copy


@pytest.fixture
def fetched(published, pooch, monkeypatch):
    """The addresses that are asked for; they are served from the copy, without a network."""
    asked = []

    def copy(self, url, output_file, pooch, check_only=False):
        asked.append(url)
        path = published / url.removeprefix("https://files.example/").replace("%20", " ")
        Path(output_file).write_bytes(path.read_bytes())

    monkeypatch.setattr(pooch.HTTPDownloader, "__call__", copy)
    return asked


def test_the_list_of_events_is_that_of_the_reference_data(shared):
    expected = pd.read_csv(shared / "data" / "played" / "source_files.csv")
    pd.testing.assert_frame_equal(datasets.valet_files()[[*expected]], expected)


def test_every_file_is_asked_for_at_one_revision_and_without_a_blank():
    urls = datasets.valet_files()["url"]
    start = "https://raw.githubusercontent.com/valet-bridge/valet/8e20da1b496cb6fa42894b9ef420375cb7a5d2cd/data/"
    assert urls.str.startswith(start).all()
    assert urls.is_unique
    assert not urls.str.contains(" ").any()


def test_events_are_downloaded_by_name(fetched, tmp_path):
    folder = datasets.valet("one", folder=tmp_path / "events")
    assert [path.name for path in folder.iterdir()] == ["one.txt"]
    assert (folder / "one.txt").read_text() == ROUND_ONE
    assert fetched == ["https://files.example/abc/data/A%20Cup/scores.txt"]


def test_all_events_are_downloaded_where_none_is_named(fetched, tmp_path):
    folder = datasets.valet(folder=tmp_path / "events")
    assert sorted(path.name for path in folder.iterdir()) == ["one.txt", "two.txt"]


def test_a_file_that_is_there_is_not_downloaded_again(fetched, tmp_path):
    datasets.valet(["one"], folder=tmp_path / "events")
    datasets.valet(["one", "two"], folder=tmp_path / "events")
    assert [url.rsplit("/", 2)[1] for url in fetched] == ["A%20Cup", "B"]


def test_a_file_that_was_changed_is_downloaded_anew(fetched, tmp_path):
    folder = datasets.valet("one", folder=tmp_path / "events")
    (folder / "one.txt").write_text(ROUND_TWO)
    datasets.valet("one", folder=folder)
    assert (folder / "one.txt").read_text() == ROUND_ONE
    assert len(fetched) == 2


def test_a_download_with_another_sha256_is_refused_and_deleted(fetched, published, tmp_path):
    (published / "abc" / "data" / "B" / "scores.txt").write_text(ROUND_TWO.replace("2H", "3H"))
    with pytest.raises(ValueError, match="does not match the known hash"):
        datasets.valet("two", folder=tmp_path / "events")
    assert not (tmp_path / "events" / "two.txt").exists()


def test_an_event_that_is_not_known_names_those_that_are(published):
    with pytest.raises(ValueError, match=r"^expected events among one, two, got 'three'$"):
        datasets.valet(["one", "three"])


def test_without_pooch_the_extra_is_named(published, monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name == "pooch":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"pip install 'bridge-analytics\[data\]'$"):
        datasets.valet("one")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "events"
    (folder / "answers").mkdir(parents=True)
    (folder / "beta.txt").write_text(ROUND_ONE + ROUND_TWO)
    (folder / "alpha.csv.gz").write_bytes(gzip.compress(CSV.encode()))
    (folder / "index.csv").write_text("event,results\nalpha,1\n")
    return folder


def test_a_folder_of_either_format_is_one_table_with_the_file_as_event(folder):
    results = datasets.load_events(folder)
    assert results["event"].tolist() == ["alpha"] + ["beta"] * 4
    assert results["contract"].tolist() == ["3NT", "3NT", "4SX", "Pass", "2H"]
    assert results["source_row"].tolist() == [2, 1, 2, 3, 4]


def test_the_same_board_of_another_event_or_round_is_another_deal(folder):
    scored = score_results(datasets.load_events(folder), by=datasets.DEALS)
    assert scored["deal_id"].tolist() == [0, 1, 1, 2, 2]


def test_some_events_of_a_folder_can_be_read(folder):
    assert set(datasets.load_events(folder, "beta")["event"]) == {"beta"}


def test_players_who_are_nobody_can_be_told(folder):
    results = datasets.load_events(folder, ["beta"], layout={"unknown_player": ["31"]})
    assert results["north"].isna().sum() == 2


def test_an_event_that_is_not_in_the_folder_names_those_that_are(folder):
    with pytest.raises(ValueError, match=r"^expected events among alpha, beta, got 'gamma'$"):
        datasets.load_events(folder, ["alpha", "gamma"])


def test_a_folder_without_events_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"^expected a folder with files \*\.csv\.gz or \*\.txt, got "):
        datasets.load_events(tmp_path)


def test_an_event_in_two_files_is_refused(folder):
    (folder / "alpha.txt").write_text(ROUND_ONE)
    with pytest.raises(ValueError, match=r"^expected one file for each event, got two for 'alpha'$"):
        datasets.load_events(folder)


def test_a_file_with_events_of_its_own_is_refused(folder):
    own = "event," + CSV.replace("\n1,", "\nSpring Cup,1,")
    (folder / "alpha.csv.gz").write_bytes(gzip.compress(own.encode()))
    with pytest.raises(
        ValueError, match=r"^expected the file to be the event, got 'Spring Cup' as an event in alpha\.csv\.gz$"
    ):
        datasets.load_events(folder)


def test_a_score_file_and_its_table_give_the_same_results(shared, tmp_path):
    played = shared / "data" / "played"
    name = "2018_open_bam_qual1"
    table = pd.read_csv(played / f"{name}.csv.gz", dtype=str, keep_default_na=False)
    lines = table.apply("|".join, axis=1)
    (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    ours, theirs = (
        score_results(datasets.load_events(folder, name), by=datasets.DEALS).drop(columns=["source", "source_row"])
        for folder in (tmp_path, played)
    )
    pd.testing.assert_frame_equal(ours, theirs)


def test_events_of_the_reference_data_have_their_results_and_deals(shared):
    played = shared / "data" / "played"
    index = pd.read_csv(played / "events.csv").set_index("event")
    names = ["2009_18_bundesliga", "2018_open_bam_final", "2018_open_teams"]
    results = datasets.load_events(played, names)
    deals = score_results(results, by=datasets.DEALS, forms=())["deal_id"]
    found = deals.groupby(results["event"], observed=True).agg(results="size", deals="nunique")
    assert np.array_equal(found.loc[names], index.loc[names, ["results", "deals"]])
