"""Studies settled beforehand: what a file may say, its seal, its split, and answers as the functions give them."""

import numpy as np
import pandas as pd
import pytest

import bridge_analytics as ba
from bridge_analytics.contrasts import compare_with_field
from bridge_analytics.sealed import SEAL, fingerprint, load_study, parse_study, seal
from bridge_analytics.sealed_answers import answers, in_part
from bridge_analytics.strategy import goes_down

HEAD = 'title = "Doubles"\nquestion = "Do they pay?"\n'
ANSWER = '[[answer]]\nestimand = "goes_down"\nweights = "result"\n'
SPLIT = "[split]\nconfirm = 0.6\nseed = 20\n"


@pytest.fixture(scope="module")
def results():
    season = ba.read_results("data/season.parquet")
    return season[season["session"].astype(int) <= 60].reset_index(drop=True)


@pytest.fixture(scope="module")
def scored(results):
    return ba.score_results(results, forms=())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title = ", "a study in TOML"),
        (ANSWER, "title, question in the study"),
        (HEAD, "answer in the study"),
        (HEAD + "seed = 1\n" + ANSWER, "keys of the study among .* got 'seed'"),
        (HEAD + "title = 3\n" + ANSWER, "a study in TOML"),
        (HEAD + ANSWER.replace("goes_down", "pays"), "one of goes_down, same_tricks"),
        (HEAD + ANSWER.replace("result", "cell"), "weights among result, board in answer 1, got 'cell'"),
        (HEAD + ANSWER + 'form = "imps"\n', "no form in answer 1: goes_down does not use it"),
        (HEAD + ANSWER.replace("goes_down", "policy"), "rule, form|form, rule"),
        (HEAD + "[split]\nconfirm = 0.5\n" + ANSWER, r"seed in \[split\]"),
        (HEAD + "[split]\nconfirm = 2\nseed = 1\n" + ANSWER, "a share between 0 and 1 as confirm"),
        (HEAD + "[filter]\ndoubled = 1\n" + ANSWER, "columns, each with a list"),
        (HEAD + '[score]\nedition = "duplicate-1066"\n' + ANSWER, "duplicate-1066"),
        (HEAD + '[layout]\nlocal = "es"\n' + ANSWER, "layout keys"),
        (
            HEAD + '[filter]\ndoubled = [1]\n[[answer]]\nestimand = "matched"\nform = "imps"\nweights = "cell"\n',
            r"expected 0 in a filter on doubled for answer 1, since matched compares .* got \[1\]",
        ),
        (HEAD + ANSWER.replace("goes_down", "against_field") + 'form = "points"\n', "a form among matchpoints"),
    ],
)
def test_a_study_that_cannot_be_meant_is_refused(text, told):
    with pytest.raises(ValueError, match=told):
        parse_study(text)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "mine.toml").write_text(HEAD)
    with pytest.raises(ValueError, match=r"^mine\.toml: expected answer"):
        load_study(tmp_path / "mine.toml")


def test_the_fingerprint_does_not_hang_on_the_ends_of_lines():
    assert fingerprint(HEAD + ANSWER) == fingerprint((HEAD + ANSWER).replace("\n", "\r\n"))
    assert fingerprint(HEAD + ANSWER) != fingerprint(HEAD + ANSWER + " ")


def test_a_seal_is_kept_and_a_changed_study_is_refused(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + ANSWER)
    first = seal(load_study(path), path, today="2031-01-02")
    assert seal(load_study(path), path, today="2031-02-03") == first
    assert first["sealed"] == "2031-01-02"
    path.write_text(HEAD + ANSWER.replace("result", "board"))
    with pytest.raises(ValueError, match=r"sealed on 2031-01-02 as .*mine\.toml was changed"):
        seal(load_study(path), path, today="2031-02-03")


def test_a_seal_that_is_none_is_refused(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + ANSWER)
    path.with_suffix(SEAL).write_text("[]")
    with pytest.raises(ValueError, match=r"a seal in 'mine\.seal\.json'"):
        seal(load_study(path), path, today="2031-01-02")


def test_the_parts_share_no_deal_and_leave_none_out(scored):
    study = parse_study(HEAD + SPLIT + ANSWER)
    confirm, explore = (in_part(scored, study, part) for part in ("confirm", "explore"))
    assert (confirm ^ explore).all()
    assert not set(scored["deal_id"][confirm]) & set(scored["deal_id"][explore])
    assert scored["deal_id"][confirm].nunique() / scored["deal_id"].nunique() == pytest.approx(0.6, abs=0.05)


def test_a_unit_stays_together(scored):
    study = parse_study(HEAD + SPLIT + 'unit = "session"\n' + ANSWER)
    confirm = in_part(scored, study, "confirm")
    assert pd.Series(confirm).groupby(scored["session"].astype(str)).nunique().max() == 1


def test_a_deal_has_its_part_whatever_is_read_with_it(scored):
    study = parse_study(HEAD + SPLIT + ANSWER)
    whole = in_part(scored, study, "confirm")
    order = np.random.default_rng(1).permutation(len(scored))[:5000]
    assert (in_part(scored.iloc[order], study, "confirm") == whole[order]).all()


def test_another_seed_makes_another_split(scored):
    one, other = (
        in_part(scored, parse_study(HEAD + SPLIT.replace("20", seed) + ANSWER), "confirm") for seed in ("20", "21")
    )
    assert 0.3 < (one == other).mean() < 0.7


def test_the_answers_are_those_of_the_functions(results, scored):
    study = load_study("data/study.toml")
    found, counts = answers(study, results)
    field = scored[in_part(scored, study, "confirm")]
    partscore = ba.contract_class(field["contract"]) == "partscore"
    doubled = field[partscore & (ba.split_contract(field["contract"])[2] == 1)]
    expected = [
        goes_down(doubled, field, action="these contracts", weights="result", within=None),
        ba.compare(
            {"undoubled": ba.what_if(doubled, doubled=0), "as played": doubled},
            by="deal_id", form="imps", side="defenders", weights="result", field=field,
        ),
        ba.compare(
            {"undoubled": ba.what_if(doubled, doubled=0), "as played": doubled},
            by="deal_id", form="imps", side="defenders", weights="result", field=field, within=["vulnerable"],
        ),
        compare_with_field(doubled, field=field, form="cross_imps", side="defenders", weights="result"),
        ba.matched(field[partscore], "doubled", side="defenders", weights="doubled", forms=("imps",)),
        ba.policy(field, "every partscore", form="imps", side="defenders", weights="board"),
    ]  # fmt: skip
    together = pd.concat([part.assign(answer=n) for n, part in enumerate(expected, 1)], ignore_index=True)
    assert found["answer"].tolist() == together["answer"].tolist()
    together["within"] = together["within"].astype("str")
    pd.testing.assert_frame_equal(found, together[found.columns])
    assert counts.set_index("step")["results"]["about"] == partscore.sum()


def test_both_parts_together_are_all_that_was_read(results):
    study = load_study("data/study.toml")
    counts = [answers(study, results, part=part)[1].set_index("step")["results"] for part in ("confirm", "explore")]
    assert counts[0]["this_part"] == counts[1]["other_part"]
    assert counts[0]["this_part"] + counts[1]["this_part"] == counts[0]["read"] == len(results)


def test_a_policy_is_asked_of_the_results_of_the_study_against_the_whole_field(results, scored):
    text = HEAD + '[filter]\nlevel = ["2"]\n[[answer]]\nestimand = "policy"\nrule = "every partscore"\n'
    found, _ = answers(parse_study(text + 'form = "matchpoints"\nweights = "result"\n'), results)
    expected = ba.policy(scored, "partscores at level 2", form="matchpoints", weights="result")
    assert found["estimate"].tolist() == expected["estimate"].tolist()
    assert found["action"].tolist() == ["double every partscore"]


def test_a_study_of_another_law_is_scored_by_it_throughout(results):
    text = HEAD + '[score]\nedition = "duplicate-before-1987"\n[[answer]]\nestimand = "policy"\n'
    found, _ = answers(parse_study(text + 'rule = "every game"\nform = "points"\nweights = "result"\n'), results)
    old = ba.score_results(results, edition="duplicate-before-1987", forms=())
    doubled = ba.policy(old, "every game", form="points", edition="duplicate-before-1987")
    assert found["estimate"].tolist() == doubled["estimate"].tolist()
    assert found["estimate"].iloc[0] != ba.policy(old, "every game", form="points")["estimate"].iloc[0]


@pytest.mark.parametrize(
    ("added", "told"),
    [
        ('[filter]\nclub = ["Monday"]\n', "a filter on a column of the results, got 'club'"),
        ('[filter]\nvul = ["All"]\n', "a filter on what vul holds, got 'All'"),
        ('[filter]\nvul = ["both", "All"]\n', "a filter on what vul holds, got 'All'"),
        ('[filter]\ncontract_class = ["part-score"]\n', "what contract_class holds, got 'part-score'"),
        ('[filter]\nboard = [1, "2"]\n', "a filter on board of numbers, got '2'"),
        ("[filter]\ndoubled = [true]\n", "a filter on doubled of numbers, got True"),
        ('[filter]\nvulnerable = ["yes"]\n', "vulnerable of true or false, got 'yes'"),
        ('[split]\nconfirm = 0.5\nseed = 1\nunit = ["club"]\n', "the unit of .split. among the columns"),
    ],
)
def test_a_study_that_does_not_fit_the_results_is_refused(results, added, told):
    with pytest.raises(ValueError, match=told):
        answers(parse_study(HEAD + added + ANSWER), results.head(200))


def test_an_unknown_part_is_refused(results):
    with pytest.raises(ValueError, match="confirm, explore"):
        answers(parse_study(HEAD + ANSWER), results, part="all")


def test_how_often_it_goes_down_is_asked_by_what_was_bid_of_what_was_bid(results):
    text = HEAD + '[[answer]]\nestimand = "goes_down"\nweights = "result"\nwithin = '
    found, _ = answers(parse_study(text + '["doubled", "side"]\n'), results.head(2_000))
    assert found["within"].str.fullmatch(r"doubled=\w+, side=(NS|EW)").all()
    alone, _ = answers(parse_study(text + '"level"\n'), results.head(2_000))
    assert sorted(alone["within"]) == list("1234567")
    assert alone["results"].sum() == (results.head(2_000)["status"] == "played").sum() == found["results"].sum()


def test_of_two_who_seal_at_once_one_is_the_first(tmp_path):
    study = parse_study(HEAD + ANSWER)
    assert seal(study, tmp_path / "study.toml", today="2031-05-06")["sealed"] == "2031-05-06"
    assert seal(study, tmp_path / "study.toml", today="2031-05-07")["sealed"] == "2031-05-06"
