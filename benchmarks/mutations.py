"""Files spoilt at random: bytes flipped, lines cut, doubled, swapped, ends torn; and what a reader must still do."""

import io
import json
import random
import re
from pathlib import Path

import bridge_analytics as ba

NO_ROWS = re.compile(r"[\s,;|\t\"]*")  # a line without anything in it
ENDINGS = {"results_csv": ".csv", "pbn": ".pbn", "lin": ".lin", "usebio": ".xml"}


def case_files(folder):
    """The bytes, the format and the layout of every case of a reader."""
    found = []
    for expected in sorted(Path(folder).glob("[a-d]*/expected.json")):
        case = json.loads(expected.read_text(encoding="utf-8"))
        options = {key: value for key, value in case["options"].items() if key != "movement"}
        found.append(((expected.parent / case["input"][0]).read_bytes(), options.pop("format"), options))
    return found


def spoilt(data, draw):
    """The bytes with one to three things wrong with them."""
    for _ in range(draw.randint(1, 3)):
        data = draw.choice((flipped, cut, doubled, swapped, torn))(data, draw)
    return data


def flipped(data, draw):
    """A few bytes become others."""
    some = bytearray(data)
    for _ in range(draw.randint(1, 4)):
        if some:
            some[draw.randrange(len(some))] = draw.randrange(256)
    return bytes(some)


def cut(data, draw):
    """A line loses its end."""
    lines = data.splitlines(keepends=True)
    if lines:
        place = draw.randrange(len(lines))
        lines[place] = lines[place][: draw.randrange(len(lines[place]))] + b"\n"
    return b"".join(lines)


def doubled(data, draw):
    """A line comes twice."""
    lines = data.splitlines(keepends=True)
    if lines:
        place = draw.randrange(len(lines))
        lines.insert(place, lines[place])
    return b"".join(lines)


def swapped(data, draw):
    """Two lines change places."""
    lines = data.splitlines(keepends=True)
    if lines:
        one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def torn(data, draw):
    """The end is missing."""
    return data[: draw.randrange(len(data))] if data else data


def lost_rows(data, results, faults, format):
    """Rows of a file that are neither in the results nor in the faults."""
    told = {int(row) for row in [*results["source_row"], *faults["source_row"].dropna()]}
    if format != "results_csv":  # records are counted as they are met: none may be missing between two others
        return set(range(1, max(told, default=0) + 1)) - told
    lines = list(io.StringIO(data.decode("utf-8", "replace"), newline=""))
    silent = [at for at, line in enumerate(lines, 1) if at not in told and not NO_ROWS.fullmatch(line)]
    if any('"' in line for line in lines):  # a record may have several lines
        return set()
    return set(silent[1:])  # the first is the line of headers


def complaint(number, files, folder):
    """What is wrong with how the reader takes the spoilt file of that number; empty where nothing is."""
    draw = random.Random(number)
    data, format, layout = draw.choice(files)
    data = spoilt(data, draw)
    path = Path(folder) / f"spoilt{ENDINGS[format]}"
    path.write_bytes(data)
    try:
        results, faults = ba.sift_results(path, format=format, layout=layout)
    except ba.ResultsError as error:
        return "" if len(error.faults) else f"{number}: refused without a reason"
    except ValueError as error:
        return "" if "layout" in str(error) or "encoding" in str(error) else f"{number} ({format}): {error}"
    except Exception as error:
        return f"{number} ({format}): {type(error).__name__}: {error}"
    lost = lost_rows(data, results, faults, format)
    return f"{number} ({format}): rows {sorted(lost)[:5]} are lost" if lost else ""
