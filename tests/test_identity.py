"""Which results share the cards, and who sits down to a deal twice."""

import numpy as np
import pandas as pd
import pytest

from bridge_analytics.identity import deal_ids, twice_on_a_deal
from bridge_analytics.results import check_results, read_results, score_results


def mitchell(tables=5, boards=10, **columns):
    """A Mitchell: NS stay, EW move up a table each round, boards move down; every board once at every table."""
    each = boards // tables
    rows = [
        (
            place + 1,
            table + 1,
            each * ((table + place) % tables) + half + 1,
            str(table + 1),
            f"{(table - place) % tables + 21}",
        )
        for place in range(tables)
        for table in range(tables)
        for half in range(each)
    ]
    frame = pd.DataFrame(rows, columns=["round", "table", "board", "ns", "ew"]).assign(
        contract="3NT", declarer="N", tricks=9
    )
    return frame.assign(**columns)


def results(frame, **layout):
    return read_results(frame, layout=layout)


def rounds(count=3, pairs=((1, 2), (3, 4))):
    """Board 1 dealt anew in every round, to the same pairs."""
    rows = [(number, 1, ns, ew) for number in range(1, count + 1) for ns, ew in pairs]
    return pd.DataFrame(rows, columns=["round", "board", "ns", "ew"]).assign(contract="Pass")


def test_a_board_of_an_evening_is_one_deal():
    evening = results(mitchell())
    ids = deal_ids(evening)
    assert len(set(ids)) == 10
    assert pd.Series(ids).groupby(evening["board"]).nunique().eq(1).all()


def test_deals_are_numbered_as_they_first_appear():
    evening = results(pd.DataFrame({"board": [7, 3, 7, 1], "contract": "Pass"}))
    assert deal_ids(evening).tolist() == [0, 1, 0, 2]


def test_a_board_without_a_number_is_known_by_its_label():
    evening = results(pd.DataFrame({"board": ["1-1", "1-2", "1-1", "07", "7"], "contract": "Pass"}))
    assert deal_ids(evening).tolist() == [0, 1, 0, 2, 2]


def test_missing_labels_are_labels():
    evening = results(pd.DataFrame({"board": [1, 1, 1], "session": [None, "1", None], "contract": "Pass"}))
    assert deal_ids(evening).tolist() == [0, 1, 0]


def test_results_without_a_board_are_not_compared_with_each_other():
    vuls = ["none", "ns", "none", "ew"]
    evening = results(pd.DataFrame({"board": [1, None, 1, None], "contract": "Pass", "vul": vuls}))
    assert deal_ids(evening).tolist() == [0, 1, 0, 2]
    assert score_results(evening)["mp_ns"].tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize("board", [{}, {"board": [1, None, None]}])
def test_where_most_results_have_no_board_it_is_not_clear_what_they_share(board):
    frame = pd.DataFrame({**board, "contract": ["Pass"] * 3, "hand": ["a", "b", "a"]})
    with pytest.raises(ValueError, match=r"[23] of 3 results have no board, neither a number nor a label"):
        deal_ids(results(frame))
    assert deal_ids(results(frame), by="hand").tolist() == [0, 1, 0]


def test_a_single_result_needs_no_board():
    assert deal_ids(results(pd.DataFrame({"contract": ["Pass"]}))).tolist() == [0]


@pytest.mark.parametrize("name", ["event", "session"])
def test_two_events_or_sessions_do_not_share_their_deals(name):
    evening = results(pd.DataFrame({"board": [1, 1], name: ["a", "b"], "contract": "Pass"}))
    assert deal_ids(evening).tolist() == [0, 1]


def test_two_files_without_an_event_do_not_share_their_deals():
    evening = results(mitchell())
    evening["source"] = pd.Categorical(np.where(evening["round"] == "1", "monday.csv", "tuesday.csv"))
    assert len(set(deal_ids(evening))) == 20


def test_the_same_pair_number_may_meet_a_deal_in_both_directions():
    evening = results(pd.DataFrame({"board": [1, 1], "ns": ["5", "6"], "ew": ["6", "5"], "contract": "Pass"}))
    assert deal_ids(evening).tolist() == [0, 0]
    assert twice_on_a_deal(evening).empty


def test_boards_dealt_anew_in_each_round_are_refused_and_the_round_is_named():
    with pytest.raises(ValueError, match=r"twice 8 times, with 'round' 0 times; by=\['round', 'board'\]"):
        deal_ids(results(rounds()))


def test_two_sections_with_the_same_pair_numbers_are_refused_and_the_section_is_named():
    sections = pd.concat([mitchell(section="A"), mitchell(section="B")]).drop(columns="round")
    with pytest.raises(ValueError, match=r"with 'section' 0 times; by=\['section', 'board'\]"):
        deal_ids(results(sections))


def test_the_column_that_tells_most_apart_is_named_and_what_else_by_must_keep():
    both = pd.concat([mitchell(section="A"), mitchell(section="B").assign(round=lambda rows: rows["round"] % 4 + 1)])
    two = pd.concat([both.assign(session="1"), both.assign(session="2")])
    with pytest.raises(ValueError, match=r"by=\['session', 'section', 'board'\], or by=\['session', 'board'\] to"):
        deal_ids(results(two))
    apart = two.assign(ns=two["section"] + two["ns"], ew=two["section"] + two["ew"])
    with pytest.raises(ValueError, match=r"by=\['session', 'section', 'board'\] keeps them apart, by=\['session', 'b"):
        deal_ids(results(apart))


def test_several_sections_are_pooled_by_choice_only():
    frame = pd.concat(
        [mitchell(section="A"), mitchell(section="B").assign(ns=lambda t: t["ns"] + "B", ew=lambda t: t["ew"] + "B")]
    )
    sections = results(frame)
    with pytest.raises(ValueError, match="several sections have the same boards"):
        deal_ids(sections)
    assert len(set(deal_ids(sections, by="board"))) == 10
    assert len(set(deal_ids(sections, by=["section", "board"]))) == 20


def test_pairs_of_sections_pooled_by_choice_are_different_pairs():
    sections = results(pd.concat([mitchell(section="A"), mitchell(section="B")]))
    assert twice_on_a_deal(sections, by="board").empty


def test_without_pairs_and_players_several_rounds_cannot_be_judged():
    frame = rounds().drop(columns=["ns", "ew"])
    with pytest.raises(ValueError, match=r"several of \['round'\], and neither pairs nor players to judge by"):
        deal_ids(results(frame))


def test_players_tell_the_rounds_apart_as_pairs_do():
    frame = rounds().rename(columns={"ns": "north", "ew": "east"})
    with pytest.raises(ValueError, match="with 'round' 0 times"):
        deal_ids(results(frame))


def test_two_vulnerabilities_on_a_deal_are_refused():
    frame = pd.DataFrame({"board": [1, 1], "vul": ["none", "both"], "contract": "Pass"})
    with pytest.raises(ValueError, match="board 1 has two vulnerabilities, 'none' in row 1 and 'both' in row 2"):
        deal_ids(results(frame))


def test_a_board_without_a_label_is_named_by_its_number():
    frame = results(pd.DataFrame({"board": [7, 7], "vul": ["none", "both"], "contract": "Pass"}))
    with pytest.raises(ValueError, match="board 7 has two vulnerabilities, 'none' in row 1"):
        deal_ids(frame.assign(board_label=None))


def test_two_sets_of_hands_on_a_deal_are_refused():
    hands = ["N:AKQ... - - -", "N:AKJ... - - -"]
    with pytest.raises(ValueError, match="board 1 has two sets of hands"):
        deal_ids(results(pd.DataFrame({"board": [1, 1], "deal": hands, "contract": "Pass"})))


@pytest.mark.parametrize("columns", [[], ["round"], ["round", "table"]])
def test_two_evenings_in_one_file_are_refused(columns):
    dropped = {"round", "table"} - set(columns)
    frame = pd.concat([mitchell(), mitchell().assign(tricks=8)]).drop(columns=[*dropped])
    with pytest.raises(ValueError, match="most pairs or players come to their deals twice: several evenings in one"):
        deal_ids(results(frame))


def test_two_evenings_in_one_file_are_told_apart_by_their_session():
    assert len(set(deal_ids(results(pd.concat([mitchell(session="1"), mitchell(session="2")]))))) == 20


def test_a_column_of_the_file_that_tells_two_evenings_apart_is_named():
    frame = pd.concat([mitchell(Date="1 May"), mitchell(Date="8 May")]).assign(Number=range(100))
    with pytest.raises(ValueError, match=r"several evenings in one file\? by=\['Date', 'board'\]"):
        deal_ids(results(frame))
    assert len(set(deal_ids(results(frame), by=["Date", "board"]))) == 20


def test_a_player_that_stands_for_everybody_is_no_second_evening():
    frame = pd.DataFrame({"board": [1, 1, 2, 2], "contract": "Pass"}).assign(north="x", east="x", south="x", west="x")
    assert deal_ids(results(frame)).tolist() == [0, 0, 1, 1]


def test_a_status_that_is_none_is_named_before_anything_else():
    evening = results(rounds().drop(columns=["ns", "ew"])).assign(status="PLAYED")
    with pytest.raises(ValueError, match=r"expected status among played, .*, got 'PLAYED' at position 0"):
        deal_ids(evening)


def test_by_is_a_name_or_names():
    with pytest.raises(ValueError, match="expected by to name columns of the results, got \\[1\\]"):
        deal_ids(results(mitchell()), by=1)


def test_a_row_typed_twice_does_not_refuse_a_file_and_is_named():
    frame = mitchell()
    frame = pd.concat([frame, frame.iloc[[6]]])
    evening = results(frame)
    assert len(set(deal_ids(evening))) == 10
    faults = twice_on_a_deal(evening)
    assert faults[["source_row", "column", "value", "suggestion"]].values.tolist() == [[51, "ns", "4", "also in row 7"]]


def test_one_wrong_pair_number_does_not_refuse_a_file_with_rounds_and_is_named():
    frame = mitchell()
    frame.loc[0, "ns"] = "2"
    evening = results(frame)
    assert len(set(deal_ids(evening))) == 10
    assert twice_on_a_deal(evening)["column"].tolist() == ["ns"]


def test_a_player_at_two_tables_of_a_deal_is_named_wherever_he_sits():
    frame = pd.DataFrame({"board": [1, 1], "north": ["Ann", "Bob"], "west": ["Cid", "Ann"], "contract": "Pass"})
    faults = twice_on_a_deal(results(frame))
    assert faults[["source_row", "column", "value"]].values.tolist() == [[2, "west", "Ann"]]


def test_a_board_not_played_at_first_may_be_played_later():
    frame = pd.DataFrame({"board": [1, 1], "ns": ["1", "1"], "contract": ["NP", "Pass"]})
    assert twice_on_a_deal(results(frame)).empty


def test_a_file_reports_who_is_twice_on_a_deal_when_it_is_checked():
    frame = mitchell()
    faults = check_results(pd.concat([frame, frame.iloc[[6]]]))
    assert faults["rule"].tolist() == ["twice_on_a_deal"]


def test_a_file_that_does_not_tell_its_deals_apart_is_checked_for_doubles_only_with_by():
    frame = pd.concat([rounds(), rounds().iloc[[0]]])
    assert check_results(frame).empty
    assert check_results(frame, by=["round", "board"])["source_row"].tolist() == [7]


def test_by_takes_the_place_of_session_and_board():
    frame = pd.DataFrame({"board": [1, 1, 2], "session": ["1", "2", "2"], "contract": "Pass"})
    assert deal_ids(results(frame), by="board").tolist() == [0, 0, 1]


@pytest.mark.parametrize("name", ["event", "source"])
def test_by_must_name_the_event_or_source_where_there_are_several(name):
    evening = results(mitchell())
    evening[name] = pd.Categorical(np.where(evening["round"] == "1", "a", "b"))
    with pytest.raises(ValueError, match=f"expected by to name '{name}' too"):
        deal_ids(evening, by="board")
    assert len(set(deal_ids(evening, by=[name, "board"]))) == 20


def test_files_are_pooled_by_giving_them_one_event():
    evening = results(mitchell())
    evening["source"] = pd.Categorical(np.where(evening["round"] == "1", "a", "b"))
    evening["event"] = pd.Categorical(["club"] * len(evening))
    assert len(set(deal_ids(evening, by="board"))) == 10


@pytest.mark.parametrize("by", [["table_top"], ["board", "rnd"], []])
def test_by_names_columns_that_are_there(by):
    with pytest.raises(ValueError, match="expected by to name columns of the results, got"):
        deal_ids(results(mitchell()), by=by)


def test_by_may_name_a_column_of_the_file_itself():
    evening = results(mitchell().assign(flight=["a", "b"] * 25))
    assert len(set(deal_ids(evening, by=["flight", "board"]))) == 10


def test_scoring_refuses_what_deal_ids_refuses():
    with pytest.raises(ValueError, match="with 'round' 0 times"):
        score_results(results(rounds()))


def test_an_empty_table_has_no_deals():
    assert deal_ids(results(mitchell().iloc[:0])).tolist() == []


def test_who_comes_twice_shows_only_where_there_are_several_deals():
    one = pd.DataFrame({"board": [1, 1], "ns": ["5", "5"], "ew": ["1", "2"], "contract": "Pass"})
    several = pd.concat([one, one.assign(board=2, ns=["5", "6"])])
    assert check_results(one).empty
    assert check_results(several)["rule"].tolist() == ["twice_on_a_deal"]
    assert check_results(one, by="board")["rule"].tolist() == ["twice_on_a_deal"]
