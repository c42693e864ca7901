"""The notebooks: what is committed was made from its source, ran to its end, and reads like a note."""

import ast
import json
import re
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
SOURCES = sorted(NOTEBOOKS.glob("*.py"))
LARGEST = 300_000  # bytes
LONGEST_FUNCTION, LONGEST_OUTPUT = 10, 40  # lines


@pytest.fixture(params=SOURCES, ids=lambda path: path.stem)
def source(request):
    return request.param


def cells_of(source):
    """The cells of a notebook in the percent format: kind and text."""
    _, _, body = source.read_text(encoding="utf-8").split("# ---\n", 2)
    for part in re.split(r"^# %%", body, flags=re.MULTILINE)[1:]:
        head, _, text = part.partition("\n")
        if "[markdown]" in head:
            yield "markdown", re.sub(r"^# ?", "", text, flags=re.MULTILINE).strip()
        else:
            yield "code", text.strip()


def executed(source):
    """The cells of the executed notebook, as they are in its file."""
    return json.loads(source.with_suffix(".ipynb").read_text(encoding="utf-8"))["cells"]


def outputs(source):
    return [output for cell in executed(source) if cell["cell_type"] == "code" for output in cell["outputs"]]


def texts(source):
    """What the cells print, as text; of a last cell, its Markdown."""
    for output in outputs(source):
        data = output.get("data", {})
        yield "".join(data.get("text/markdown", data.get("text/plain", output.get("text", ""))))


def test_the_executed_notebook_has_the_cells_of_its_source(source):
    shown = [(cell["cell_type"], "".join(cell["source"]).strip()) for cell in executed(source)]
    assert shown == [*cells_of(source)]


def test_every_cell_ran_in_order_and_without_an_error(source):
    counts = [cell["execution_count"] for cell in executed(source) if cell["cell_type"] == "code"]
    assert counts == [*range(1, len(counts) + 1)]
    assert [output["output_type"] for output in outputs(source) if output["output_type"] in ("error", "stream")] == []


def test_a_notebook_is_small(source):
    assert source.with_suffix(".ipynb").stat().st_size <= LARGEST


def test_no_output_is_longer_than_a_screen(source):
    assert max(len(text.splitlines()) for text in texts(source)) <= LONGEST_OUTPUT


def test_a_notebook_names_no_place_on_a_machine(source):
    for path in (source, source.with_suffix(".ipynb")):
        text = re.sub(r'"image/png": "[^"]*"', "", path.read_text(encoding="utf-8"))
        assert re.findall(r"/(?:home|root|tmp|work|usr|opt|mnt|Users)/|[A-Z]:\\\\", text) == [], path.name


def test_no_function_of_a_notebook_is_long(source):
    tree = ast.parse(source.read_text(encoding="utf-8"))
    long = [
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and lines(node) > LONGEST_FUNCTION
    ]
    assert long == []


def lines(node):
    return node.end_lineno - node.lineno + 1


def test_the_first_cell_asks_and_says_what_the_answer_cannot_tell(source):
    kind, text = next(cells_of(source))
    number, _ = source.stem.split("_", 1)
    assert kind == "markdown"
    assert text.startswith(f"# {number} · ")
    assert "What the answer cannot tell:" in text


def test_the_last_cell_answers_in_two_sentences_with_an_interval(source):
    *_, (_, before), _ = cells_of(source)
    *_, answer = texts(source)
    assert before.endswith("## Answer")
    assert len(re.findall(r"\.(?:\s|$)", answer)) == 2
    assert re.search(r"\(.*[+-]?[\d.]+%? to [+-]?[\d.]+", answer)


def test_the_data_are_counted(source):
    counted = "\n".join(texts(source))
    assert "results" in counted
    assert "left out" in counted or "not compared" in counted


def test_the_notebook_on_doubled_partscores_was_executed_on_the_real_events():
    shown = "\n".join(texts(NOTEBOOKS / "01_doubled_partscores.py"))
    counts = ("350,980", "15,192", "7,549", "3,510", "2,642", "1,989 cells")
    estimates = ("78.3%", "+3.34", "+2.88", "+1.68", "+0.49", "+1.26", "-0.73", "-4.40", "0.138", "4.395", "0.492")
    assert [number for number in (*counts, *estimates) if number not in shown] == []


def test_notebooks_are_numbered_from_one_without_a_gap():
    assert [path.stem[:3] for path in SOURCES] == [f"{number:02}_" for number in range(1, len(SOURCES) + 1)]


def test_the_truth_that_the_notebooks_look_for_is_that_of_the_sample_data():
    readme = (NOTEBOOKS.parent / "data" / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"doubling the partscores that were .* \| \+?(-?[\d.]+) points, \+?(-?[\d.]+) IMPs", readme)
    stated = [number for line in lines for number in line] + re.findall(r"double dummy \| mean \+([\d.]+)", readme)
    sought = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    assert len(stated) == 5
    assert [number for number in stated if number not in sought] == []
