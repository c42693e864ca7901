"""The page of a sealed study, from the shell to the last digit: sealed before it reads, made again, and compared."""

import re
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

import bridge_analytics as ba
from bridge_analytics.cli import app
from bridge_analytics.sealed import load_study, parse_study
from bridge_analytics.selection import CODES
from bridge_analytics.study_page import study_report
from bridge_analytics.verification import pieces, verify
from bridge_analytics.words import words


@pytest.fixture(scope="module")
def evenings(tmp_path_factory):
    """A folder with the season's first twenty evenings, ten to a file, and a study."""
    folder = tmp_path_factory.mktemp("study")
    season = pd.read_parquet("data/season.parquet")
    number = season["session"].astype(int)
    (folder / "results").mkdir()
    for first in (1, 11):
        season[number.between(first, first + 9)].to_csv(folder / "results" / f"from_{first:02}.csv", index=False)
    (folder / "study.toml").write_bytes(Path("data/study.toml").read_bytes())
    return folder


@pytest.fixture(scope="module")
def run():
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "240"})


@pytest.fixture(scope="module")
def page(evenings, run):
    path = evenings / "study.html"
    result = run("study", evenings / "study.toml", evenings / "results", "-o", path)
    assert result.exit_code == 0, result.output
    return path


def test_the_fingerprint_is_told_before_a_result_is_read(evenings, run):
    result = run("study", evenings / "study.toml", evenings / "no_such_file.csv")
    assert result.exit_code == 2
    assert result.stdout.startswith(f"sha256 {load_study(evenings / 'study.toml')['sha256']}")


def test_the_page_carries_study_seal_files_and_counts(page, evenings):
    text = page.read_text()
    study = load_study(evenings / "study.toml")
    assert study["sha256"] in text
    assert "unit = [&#34;event&#34;, &#34;session&#34;]" in text
    for file in sorted((evenings / "results").iterdir()):
        assert file.name in text
    for told in ("duplicate-1987: ", "imps-1962: ", "bridge-analytics ", "pandas ", "<dt>Seed</dt><dd>20</dd>"):
        assert told in text
    assert "6,760" in text  # results of twenty evenings of 338


def test_a_page_as_it_was_made_is_found_again(page, evenings, run):
    result = run("verify", page, evenings / "results")
    assert result.exit_code == 0, result.output
    assert "every number is found again" in result.stdout


def test_a_single_changed_digit_is_found(page, evenings, tmp_path, run):
    text = page.read_text()
    estimate = re.search(r"<b>(\d+\.\d\d) %</b>", text)[1]
    other = estimate[:-1] + str((int(estimate[-1]) + 1) % 10)
    forged = tmp_path / "forged.html"
    forged.write_text(text.replace(estimate, other))
    found = verify(forged, evenings / "results")
    assert found[["printed", "found"]].values.tolist() == [[f"{other} %", f"{estimate} %"]]
    assert run("verify", forged, evenings / "results").exit_code == 1


def test_every_digit_of_the_body_is_compared(page):
    text = page.read_text()
    as_made = pieces(text)
    body = text.index("<body")
    plain = re.sub(r"<(?!/?(?:path|use|text|rect|clipPath)\b)[^>]*>", lambda tag: "#" * len(tag[0]), text)
    digits = [place for place in range(body, len(text)) if plain[place].isdigit()]
    assert len(digits) > 1_000
    for place in digits[::7]:
        digit = str((int(text[place]) + 1) % 10)
        assert pieces(text[:place] + digit + text[place + 1 :]) != as_made, text[place - 40 : place + 10]


def test_other_results_do_not_make_the_page(page, evenings):
    found = verify(page, evenings / "results" / "from_01.csv")
    assert len(found) > 10
    assert found["printed"].str.contains("from_11.csv").any()


def test_a_study_that_was_changed_in_the_page_is_refused(page, evenings, tmp_path, run):
    forged = tmp_path / "forged.html"
    forged.write_text(page.read_text().replace("seed = 20", "seed = 21"))
    result = run("verify", forged, evenings / "results")
    assert result.exit_code == 2
    assert "was changed after it was sealed" in result.stderr


def test_a_study_that_was_changed_after_sealing_is_refused(page, evenings, tmp_path, run):
    for name in ("study.toml", "study.seal.json"):
        (tmp_path / name).write_bytes((evenings / name).read_bytes())
    changed = (tmp_path / "study.toml").read_text().replace("seed = 20", "seed = 21")
    (tmp_path / "study.toml").write_text(changed)
    result = run("study", tmp_path / "study.toml", evenings / "results", "-o", tmp_path / "again.html")
    assert result.exit_code == 2
    assert "was changed since" in result.stderr
    assert not (tmp_path / "again.html").exists()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('["partscore"]', '["part-score"]', "contract_class"),
        ('unit = ["event", "session"]', 'unit = ["club"]', "unit of [split]"),
    ],
)
def test_a_study_that_has_no_answer_is_not_sealed(old, new, told, evenings, tmp_path, run):
    text = (evenings / "study.toml").read_text()
    (tmp_path / "study.toml").write_text(text.replace(old, new))
    result = run("study", tmp_path / "study.toml", evenings / "results")
    assert result.exit_code == 2
    assert told in result.stderr
    assert not (tmp_path / "study.seal.json").exists()
    (tmp_path / "study.toml").write_text(text)
    assert run("study", tmp_path / "study.toml", evenings / "results").exit_code == 0


def test_what_tells_deals_apart_is_asked_for_in_the_study(evenings, tmp_path, run):
    (tmp_path / "study.toml").write_bytes((evenings / "study.toml").read_bytes())
    twice = pd.read_csv(evenings / "results" / "from_01.csv", dtype=str).drop(columns=["session"])
    twice.to_csv(tmp_path / "all.csv", index=False)
    result = run("study", tmp_path / "study.toml", tmp_path / "all.csv")
    assert result.exit_code == 2
    assert "expected [score] by, to tell deals apart" in result.stderr
    assert "--by" not in result.stderr


def test_exploring_breaks_no_seal_and_says_so(evenings, tmp_path, run):
    (tmp_path / "study.toml").write_bytes((evenings / "study.toml").read_bytes())
    result = run("study", tmp_path / "study.toml", evenings / "results", "--explore", "-o", tmp_path / "idea.html")
    assert result.exit_code == 0, result.output
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["idea.html", "study.toml"]
    text = (tmp_path / "idea.html").read_text()
    assert "what they say is an idea, not an answer" in text
    assert verify(tmp_path / "idea.html", evenings / "results").empty


def test_the_page_speaks_spanish_throughout(evenings, tmp_path, run):
    (tmp_path / "study.toml").write_bytes((evenings / "study.toml").read_bytes())
    options = ["--language", "es", "-o", tmp_path / "estudio.html"]
    assert run("study", tmp_path / "study.toml", evenings / "results", *options).exit_code == 0
    shown = " ".join(text for _, text in pieces((tmp_path / "estudio.html").read_text()))
    assert "Lo que las respuestas no dicen" in shown
    assert "6.760" in shown
    assert not [told for key, told in words("en").items() if key.startswith("S") and told in shown]
    assert verify(tmp_path / "estudio.html", evenings / "results").empty


def test_the_codes_of_the_page_say_what_the_codes_of_the_package_say():
    assert {code: words("en")[code] for code in CODES} == dict(CODES)


def test_texts_of_a_study_are_escaped():
    text = 'title = "<script>x</script>"\nquestion = "a & b"\n[[answer]]\nestimand = "goes_down"\nweights = "result"\n'
    evening = pd.DataFrame({"board": [1, 1], "contract": "4S", "declarer": "S", "tricks": [9, 10]})
    page = study_report(parse_study(text), *ba.sift_results(evening))
    assert "<script>" not in page
    assert "&lt;script&gt;x&lt;/script&gt;" in page


def test_a_page_that_is_none_of_a_study_is_refused(tmp_path, run, evenings):
    (tmp_path / "other.html").write_text("<html lang='en'><body>12</body></html>")
    result = run("verify", tmp_path / "other.html", evenings / "results")
    assert result.exit_code == 2
    assert "expected the page of a sealed study" in result.stderr


@pytest.mark.parametrize(
    ("words_typed", "told"),
    [
        (["study.toml", "results", "--by", "board"], "in the study itself"),
        (["doubled-partscores", "results", "--explore"], "a study in a .toml"),
        (["doubled-partscores", "results", "-o", "x.html"], "a study in a .toml"),
    ],
)
def test_options_that_do_not_fit_are_refused(words_typed, told, evenings, run, monkeypatch):
    monkeypatch.chdir(evenings)
    result = run("study", *words_typed)
    assert result.exit_code == 2
    assert told in result.stderr


def test_a_study_without_parts_has_a_page_that_is_found_again(evenings, tmp_path, run):
    """Asked by two columns, and of so few that a warning of the estimate itself has to be explained."""
    text = 'title = "All"\nquestion = "?"\n[filter]\ndoubled = [2]\n[[answer]]\nestimand = "goes_down"\n'
    (tmp_path / "all.toml").write_text(text + 'weights = "result"\nwithin = ["vulnerable", "doubled"]\n')
    result = run("study", tmp_path / "all.toml", evenings / "results", "-o", tmp_path / "all.html")
    assert result.exit_code == 0, result.output
    page = (tmp_path / "all.html").read_text()
    assert "vulnerable: yes, doubled: redoubled" in page
    assert "under 20 deals: the interval is rough" in page
    assert verify(tmp_path / "all.html", evenings / "results").empty
