"""The report of an event: what the page says, that it stands by itself, that nothing on it is invented or lost."""

import hashlib
import re
import shlex
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from bridge_analytics import report
from bridge_analytics.cli import app
from bridge_analytics.decided import skill_and_luck
from bridge_analytics.luck import reliability
from bridge_analytics.pages import provenance
from bridge_analytics.par import par_score
from bridge_analytics.rankings import decisive_boards
from bridge_analytics.results import read_results, score_results, sift_results
from bridge_analytics.standings import standings
from bridge_analytics.words import words

SESSION = Path(__file__).resolve().parents[1] / "data" / "session.csv"
CLUB = """\
Event,Session,Bd,NS,EW,Contract,By,Result,North,South
<i>Friday</i>,1,1,<script>alert(1)</script>,11,4S,N,+1,Ann,Bo
<i>Friday</i>,1,1,2,12,4S,S,=,Cy,Di
<i>Friday</i>,1,1,3,13,A+/A-,,,Ed,Flo
<i>Friday</i>,1,2,<script>alert(1)</script>,12,3NT,E,-1,Ann,Bo
<i>Friday</i>,1,2,2,13,3NT,E,=,Cy,Di
<i>Friday</i>,1,2,3,11,NP,,,Ed,Flo
<i>Friday</i>,1,3,<script>alert(1)</script>,13,2H,N,=,Ann,Bo
<i>Friday</i>,1,3,2,11,2H,N,-1,Cy,Di
<i>Friday</i>,1,3,3,12,8S,N,=,Ed,Flo
"""
SEATS = "NESW"


class Page(HTMLParser):
    """What a page holds: names, links, whatever it would fetch, its texts."""

    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.fetched, self.tags, self.texts = [], [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        for name, value in attributes:
            if name == "id":
                self.names.append(value)
            elif name == "href" and tag == "a":
                self.links.append(value)
            elif name in ("src", "href", "xlink:href", "srcset", "data", "action"):
                self.fetched.append(value)

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


@pytest.fixture(scope="module")
def session():
    return score_results(read_results(SESSION))


@pytest.fixture(scope="module")
def few(session):
    """The first three boards at four of their tables."""
    return score_results(session[(session["board"] <= 3) & session["table"].isin(["1", "2", "3", "4"])])


@pytest.fixture(scope="module")
def session_page(session):
    return report.event_report(session)


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    path = tmp_path_factory.mktemp("club") / "club.csv"
    path.write_text(CLUB)
    return path


@pytest.fixture(scope="module")
def club_page(club):
    results, faults = sift_results(club)
    return report.event_report(score_results(results), faults)


@pytest.fixture
def run(monkeypatch):
    monkeypatch.setenv("COLUMNS", "240")
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.mark.parametrize("page", ["session_page", "club_page"])
def test_the_page_asks_nothing_of_the_network(page, request):
    text = request.getfixturevalue(page)
    seen = Page(text)
    assert {address[:1] for address in seen.fetched} <= {"#", "d"}  # within the page, or data:
    assert not {"script", "iframe", "img", "object", "embed"} & seen.tags
    assert not re.search(r"@import|url\((?!#)", text)
    assert "default-src 'none'" in text


@pytest.mark.parametrize("page", ["session_page", "club_page"])
def test_every_link_has_its_target(page, request):
    seen = Page(request.getfixturevalue(page))
    assert {link[1:] for link in seen.links} <= set(seen.names)
    assert len(seen.names) == len(set(seen.names))
    assert len(seen.links) > 20


def test_text_of_the_file_is_escaped(club_page):
    assert "<script" not in club_page
    assert "<i>Friday" not in club_page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in club_page
    assert "<h1>&lt;i&gt;Friday&lt;/i&gt;</h1>" in club_page


def test_the_page_has_every_total_of_the_ranking(session, session_page):
    section = session_page.split('<section id="ranking">')[1].split("</section>")[0]
    totals = [float(cell) for cell in re.findall(r'<td class="n">([0-9]+\.[0-9]{2})', section)]
    assert totals == standings(session)["percent"].round(2).tolist()


def test_the_page_says_how_much_of_the_ranking_is_luck(session, session_page):
    from_luck = reliability(session, form="matchpoints", winners=2).iloc[0]
    said = re.search(r"Skill and luck: [^<]*", session_page)[0]
    assert f"{from_luck['boards']:.0f} boards each" in said
    assert f"{from_luck['low']:.0f}" in said
    assert ("no more than by chance" in said) == (from_luck["between_sd"] == 0)


def test_a_board_or_two_say_nothing_about_luck():
    evening = pd.DataFrame(
        {"Bd": [1, 1, 2, 2], "NS": [1, 2, 1, 2], "EW": [3, 4, 4, 3], "Contract": "4S", "By": "N"}
    ).assign(Result=["=", "-1", "-1", "="])
    scored = score_results(read_results(evening))
    assert reliability(scored, form="matchpoints", winners=1)["low"].iloc[0] < 1
    assert skill_and_luck(scored, words("en"), form="matchpoints", winners=1) == words("en")["too_few_boards"]


def test_the_page_has_every_result_twice_in_travellers_and_on_both_cards(session, session_page):
    boards = session_page.split('<section id="boards">')[1].split('<section id="cards">')[0]
    cards = session_page.split('<section id="cards">')[1].split('<section id="rulings">')[0]
    assert boards.count("<tr>") == len(session) + session["deal_id"].nunique()
    assert cards.count("<tr>") == 2 * len(session) + 26


def test_the_page_names_the_boards_that_decided(session, session_page):
    decides = decisive_boards(session)
    boards = decides.loc[decides["decides"], "deal_id"].tolist()
    section = session_page.split('<section id="decided">')[1].split("</section>")[0]
    assert sorted(map(int, re.findall(r'href="#b(\d+)"', section))) == sorted(boards)
    assert len(boards) == 11


def test_a_ranking_that_rulings_forbid_is_explained_not_left_out():
    rows = {
        "Bd": [1, 1, 1],
        "NS": [1, 2, 3],
        "EW": [4, 5, 6],
        "Contract": ["4S", "3S", "A6535"],
        "By": "N",
        "Result": "=",
    }
    page = Page(report.event_report(score_results(read_results(pd.DataFrame(rows))))).text
    assert "no ranking: expected rulings with A+, A, A-, IMPs" in page


def test_rulings_and_boards_not_played_are_listed(club_page):
    section = Page(club_page.split('<section id="rulings">')[1].split("</section>")[0]).text
    assert "1 3 13 adjusted A+ A-" in section
    assert "2 3 11 not played" in section


def test_faults_are_listed_with_their_rows(club_page):
    section = Page(club_page.split('<section id="faults">')[1].split("</section>")[0]).text
    assert "contract_unreadable 1" in section
    assert "10 contract 8S expected level" not in section
    assert re.search(r"10 contract 8S level 1-7.* yes", section)


def test_a_page_without_faults_says_so(session_page):
    assert session_page.split('<section id="faults">')[1].split("</section>")[0].count("<p>None.</p>") == 1


def test_the_players_of_a_pair_are_named(club_page):
    assert "Ann – Bo" in Page(club_page.split('<section id="ranking">')[1].split("</section>")[0]).text


def test_the_same_results_make_the_same_page_and_it_needs_no_library_of_figures(club, club_page, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    results, faults = sift_results(club)
    assert report.event_report(score_results(results), faults) == club_page


def test_a_large_event_has_no_score_cards_unless_asked(club, club_page, monkeypatch):
    scored = score_results(sift_results(club)[0])
    monkeypatch.setattr(report, "CARDS_UP_TO", len(scored) - 1)
    without, with_cards = report.event_report(scored), report.event_report(scored, cards=True)
    assert 'class="card"' not in without
    assert "there are 8 results: --cards adds them" in without
    assert with_cards.count('class="card"') == 6
    assert {link for link in Page(without).links if link.startswith("#p")} == set()


def solved_of(results):
    """Make up double-dummy tricks of every deal: what is shown need only be what the table says."""
    deals = results.drop_duplicates("board")[["board", "dealer", "vul", "deal"]].reset_index(drop=True)
    tricks = np.random.default_rng(7).integers(0, 14, (len(deals), 20))
    names = [f"tricks_{seat}_{strain}" for strain in ("C", "D", "H", "S", "NT") for seat in SEATS]
    return pd.concat([deals, pd.DataFrame(tricks, columns=names)], axis=1)


def test_par_and_double_dummy_tricks_stand_beside_their_deal(few):
    table = solved_of(few)
    page = report.event_report(few, solved=table.sample(frac=1, random_state=1), cards=False)
    tricks = table.iloc[:, 4:].to_numpy().reshape(-1, 5, 4)
    par = par_score(tricks, table["dealer"], table["vul"])
    boards = [Page(part).text for part in page.split('<section class="board"')[1:]]
    for place, text in enumerate(boards):
        shown = re.search(r"Par: NS ([+−]?\d+)", text)[1].replace("−", "-")
        assert int(shown) == par[place]
        north = " ".join(str(tricks[place, strain, 0]) for strain in range(5))
        assert f"N {north} S" in text
    contracts = re.findall(r"Par: NS [+−]?\d+, ([^<]*)", page)
    assert len(contracts) == len(table)
    assert not any(" " in contract for told in contracts for contract in told.split(", "))  # never on two lines


def test_results_without_cards_find_their_deal_by_the_board(few):
    bare = few.assign(deal=few["deal"].where(few["deal"].isna()))
    shown = report.event_report(bare, solved=solved_of(few), cards=False)
    assert shown.count("Par: NS") == 3
    twice = pd.concat([solved_of(few)] * 2)
    with pytest.raises(
        ValueError, match="expected results with their cards, since several deals have one board number"
    ):
        report.event_report(bare, solved=twice, cards=False)


def test_a_file_without_a_row_makes_a_page_that_says_nobody_is_ranked(run, tmp_path):
    path, output = tmp_path / "evening.csv", tmp_path / "evening.html"
    path.write_text("Board,NS,EW,Contract,By,Result\n")
    assert run("report", path, "-o", output).exit_code == 0
    assert "Nobody is named, so nobody is ranked." in Page(output.read_text()).text


def test_teams_are_left_to_their_own_ranking(few):
    with pytest.raises(ValueError, match="expected of among pairs, partnerships, players, got 'teams'"):
        report.event_report(few, of="teams")


def test_a_table_that_is_not_solved_is_refused(few):
    with pytest.raises(
        ValueError, match="expected deals as the command solve writes them, got a table without tricks_N_C"
    ):
        report.event_report(few, solved=solved_of(few)[["board", "deal"]], cards=False)


def test_the_page_speaks_spanish_throughout(few):
    page = report.event_report(few, language="es", cards=True)
    text = Page(page).text
    assert '<html lang="es">' in page
    assert all(word in text for word in ("Clasificación", "Qué lo decidió", "Mano 1", "nadie vulnerable", "3ST E +3"))
    english = r"\b(Ranking|Boards?|Against|Score|Place|Pair|Contents|Faults|dealer|vulnerable [A-Z]|Session|Round|of)\b"
    assert re.findall(english, text) == []


def test_a_ready_ranking_with_penalties_is_shown(few):
    fine = pd.DataFrame(
        {"contestant": few["ns"].iloc[:1].astype("str"), "side": ["ns"], "amount": [50], "unit": ["MP"]}
    )
    page = report.event_report(few, standing=standings(few, penalties=fine), cards=False)
    assert "Penalty" in page.split('<section id="ranking">')[1].split("</section>")[0]


def test_the_foot_says_what_the_page_was_made_from():
    made = dict(provenance([SESSION], rows=338, left_out=2, editions=["duplicate-1987"], command="x y"))
    assert made["File"] == f"session.csv, sha256 {hashlib.sha256(SESSION.read_bytes()).hexdigest()}"
    assert (made["Rows"], made["Rows left out"], made["Command"]) == ("338", "2", "x y")
    assert made["Editions"].startswith("duplicate-1987: Duplicate: Law 77")


def test_the_shell_writes_the_page_and_tells_of_faults(run, club, tmp_path):
    output = tmp_path / "report.html"
    result = run("report", club, "-o", output, "--title", "Friday's game")
    assert result.exit_code == 1
    assert "contract_unreadable 1" in result.output
    assert "<h1>Friday&#39;s game</h1>" in output.read_text()


def test_the_command_in_the_foot_makes_the_page_again(run, club, tmp_path):
    output = tmp_path / "report.html"
    run(
        "report", club, "-o", output, "--form", "butler,matchpoints", "--no-cards", "--title", "a b", "--language", "es"
    )
    first = output.read_text()
    command = Page(first.split("<dt>Orden</dt>")[1].split("</dd>")[0]).text
    output.unlink()
    assert run(*shlex.split(command)[1:]).exit_code == 1
    assert output.read_text() == first


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "report.csv"], "expected an output that ends in .html, got 'report.csv'"),
        (["-o", "report.html", "--language", "fr"], "expected a language among en, es, got 'fr'"),
        (["-o", "report.html", "--form", "vp"], "expected forms among matchpoints, butler, cross_imps, got 'vp'"),
    ],
)
def test_what_cannot_be_reported_is_said_in_one_line(run, words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("report", SESSION, *words)
    assert result.exit_code == 2
    assert said in result.output
    assert not Path("report.html").exists()
