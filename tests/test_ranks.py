"""The shape of the package: who may import whom, how long a module may be, what an import costs."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "bridge_analytics"
LONGEST_MODULE = 300  # lines

# From the bottom up: a module imports only from the lines above its own.
RANKS = (
    # words, numbers, cards
    ("columns", "kinds", "card_text", "checks", "csv_lines"),
    ("rules", "notation", "groups", "readers", "holdings"),
    ("contracts", "boards", "cards", "laws", "field", "imp_scale", "clusters", "planning", "valuing"),
    ("calls", "trick_count"),
    # laws and comparisons, on arrays
    ("imp_sums",),
    ("scoring", "comparison", "datums", "victory_points", "points", "hands", "shapes", "inference", "movements"),
    ("openings", "distribution", "conditions", "rubber_states", "bids"),
    ("breakdown", "small_groups", "deals", "par", "double_dummy", "rubber_deals"),
    ("rubber_sheet",),
    ("rubber", "chicago", "rubber_equity"),
    # the canonical table, and what becomes one
    ("table", "contestants", "deal_labels"),
    ("identity", "headers", "cells", "scored", "auctions"),
    ("layout", "card_cells", "alike"),
    ("formats.lin_text", "formats.lin_deals", "formats.usebio_elements", "formats.bws_tables", "formats.pbn_text"),
    ("formats.pbn_games",),
    ("formats.pbn_calls", "formats.pbn_sides", "formats.pbn_tables"),
    ("formats.pbn_deals", "formats.pbn_export", "formats.pbn_records", "formats.pbn_sections"),
    ("formats.lin_match", "formats.usebio_context"),
    ("board_cells", "contract_cells", "formats", "formats.results_csv", "formats.valet"),
    ("formats.lin", "formats.usebio", "formats.bws", "formats.pbn"),
    ("outcomes", "sources"),
    ("published",),
    ("edits",),
    ("rows", "row_scores"),
    ("corrections",),
    ("reading", "field_checks"),
    ("deal_files",),
    ("results",),
    ("arrow_tables", "folders", "workers"),
    ("plain_results", "manifest", "buckets", "csv_blocks", "parquet_blocks"),
    ("streams", "conversion", "headings"),
    ("batch_tasks",),
    ("batch_plan",),
    # analysis
    ("weighted", "rulings"),
    ("recomparison",),
    ("actions", "mixes", "replaced", "selection", "awards", "features"),
    ("tallies", "counterfactuals", "ledger", "entrants", "places", "pair_matches", "rooms"),
    ("penalties",),
    ("alignment",),
    ("contrasts",),
    ("matching", "policies", "seatings"),
    ("audit", "leads", "specification", "skill_parts", "skill_spread"),
    ("datasets", "pair_ledger", "teams", "decision", "strategy", "luck"),
    ("standings",),
    ("rankings", "sealed"),
    ("sealed_answers",),
    # what is seen
    ("captions", "marks", "words", "sheets", "notebook"),
    ("diagrams", "rubber_pages"),
    ("spelling", "strips", "placings"),
    ("travellers", "strip_drawings"),
    ("score_cards",),
    ("plots", "display"),
    ("pages",),
    ("decided",),
    ("event_boards", "event_cards"),
    ("report", "batch", "study_page"),
    ("verification",),
    ("screen",),
    ("file_commands", "batch_commands", "deal_commands", "rubber_commands"),
    ("report_commands", "study_commands", "standings_commands"),
    ("cli",),
    ("__init__",),  # the public names: it may import anything, and nothing imports it
)
RANK = {module: rank for rank, modules in enumerate(RANKS) for module in modules}

# What must not load with the package: each costs more than all of it, or is optional.
LAZY = ("scipy", "matplotlib", "pyarrow.csv", "pyarrow.parquet", "typer", "rich", "jinja2", "endplay")


def module_name(path: Path) -> str:
    """Return the dotted name inside the package: `scoring`, `formats.valet`, `formats`; `__init__` for the root."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


def imported_names(path: Path) -> Iterator[str]:
    """Yield the full dotted name of whatever a module imports, wherever in the module the import stands."""
    inside = ["bridge_analytics", *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = inside[: len(inside) - node.level + 1] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def own_imports(path: Path) -> set[str]:
    """Return the modules of the package that a module imports; a name of the package root counts as `__init__`."""
    own = set()
    for name in imported_names(path):
        head, _, rest = name.partition(".")
        if head == "bridge_analytics":
            known = [module for module in RANK if rest == module or rest.startswith(f"{module}.")]
            own.add(max(known, key=len, default="__init__"))
    return own


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def test_every_module_has_a_rank():
    assert set(MODULES) - set(RANK) == set()


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_lower_ranks(module):
    too_high = {other for other in own_imports(MODULES[module]) if RANK[other] >= RANK[module]}
    assert too_high == set(), f"{module} has rank {RANK[module]}"


@pytest.mark.parametrize("module", MODULES)
def test_a_module_fits_its_subject(module):
    lines = len(MODULES[module].read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_MODULE


def test_the_import_checker_sees_every_way_to_import(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path)
    (tmp_path / "formats").mkdir()
    source = tmp_path / "formats" / "valet.py"
    source.write_text(
        "import numpy\n"
        "import bridge_analytics.results\n"
        "from bridge_analytics import table, score\n"
        "from ..rules import Edition\n"
        "def late():\n"
        "    from . import results_csv\n"
    )
    assert own_imports(source) == {"results", "table", "__init__", "rules", "formats.results_csv"}


def test_importing_the_package_loads_nothing_heavy():
    code = "import json, sys, bridge_analytics; print(json.dumps(sorted(sys.modules)))"
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True, cwd=PACKAGE.parent).stdout
    assert set(LAZY) & set(json.loads(loaded)) == set()
