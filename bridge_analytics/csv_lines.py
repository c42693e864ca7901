"""Text between separators cut into cells, each row with its physical line.

Plain text, without quotes and with the right number of cells on each line, is cut by PyArrow; any other by the ``csv``
module, line by line, so that one bad quote or separator spoils one row only.
"""

import codecs
import contextlib
import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Record = tuple[int, list[str]]
Rows = tuple[pd.DataFrame, NDArray[np.int64], int]

_BLOCK = 1 << 23  # bytes: some 200,000 lines, so that memory is bounded whatever the size of the file
_PIECE = 1 << 19  # bytes that a thread cuts at a time
_WORDS = pa.dictionary(pa.int32(), pa.string())
_FEW = 1000  # numbers between the lowest and the highest of a column, which need not be looked up
_LONGEST = 1 << 20  # characters: a record that is longer has lost a quote


def blocks(file: BinaryIO, encoding: str | None) -> Iterator[tuple[bytes, bool]]:
    """Whole lines of a file as UTF-8, a few megabytes at a time, and whether they are the last; at least one block.

    The encoding is the one given, else that of the byte order mark, else UTF-8. What is no text in it comes as bytes
    that are no UTF-8.
    """
    start = file.read(3)
    file.seek(0)
    mark = next(
        (name for mark, name in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")) if start[:2] == mark), "utf-8"
    )
    name = codecs.lookup(encoding or mark).name
    found = _blocks_of_bytes(file, start) if name in ("utf-8", "utf-8-sig") else _blocks_of_text(file, name)
    block = next(found, b"")
    for following in found:
        yield block, False
        block = following
    yield block, True


def _blocks_of_bytes(file: BinaryIO, start: bytes) -> Iterator[bytes]:
    file.seek(3 if start == b"\xef\xbb\xbf" else 0)
    while block := file.read(_BLOCK):
        yield block + file.readline()


def _blocks_of_text(file: BinaryIO, encoding: str) -> Iterator[bytes]:
    text = io.TextIOWrapper(file, encoding, errors="replace", newline="")
    mark = "\ufeff"
    while block := text.read(_BLOCK):
        whole = (block + text.readline()).removeprefix(mark)
        yield whole.encode("utf-8", "replace").replace(b"\xef\xbf\xbd", b"\xff")
        mark = "\0"  # only the first block starts with one
    text.detach()


def lines_of(block: bytes) -> tuple[list[str], bool]:
    """The lines of a block, each with its end, what is no UTF-8 as U+FFFD; and whether all of it is UTF-8."""
    text = block.decode("utf-8", "replace")
    clean = "\ufffd" not in text or text.encode() == block
    return list(io.StringIO(text, newline="")), clean


def first_records(lines: Sequence[str], sep: str) -> list[tuple[list[str], int]]:
    """The cells of the first lines of a file, each record with the number of lines down to its end."""
    found: list[tuple[list[str], int]] = []
    reader = csv.reader(lines, delimiter=sep, skipinitialspace=True)
    with contextlib.suppress(csv.Error):  # it comes again where the rows are cut
        found.extend((fields, reader.line_num) for fields in reader)
    return found


def frame_of(rows: Iterable[Sequence[str]], width: int) -> pd.DataFrame:
    """Rows of cells as a table of texts, missing where they are empty."""
    columns = list(zip(*rows, strict=True)) or [()] * width
    return _frame(pa.array([cell or None for cell in column], pa.string()).dictionary_encode() for column in columns)


def plain_rows(body: bytes, sep: str, width: int, first_line: int) -> Rows | None:
    """The cells of plain text and the line of each row; None where the text is not plain.

    Parameters
    ----------
    body : bytes
        Lines under the headers, as UTF-8.
    sep : str
        The separator.
    width : int
        The number of cells of a row.
    first_line : int
        The line on which ``body`` starts.

    Returns
    -------
    frame : DataFrame
        The cells as texts, missing where they are empty.
    line : ndarray of int64
    count : int
        How many lines there are.
    """
    if not body or width < 2 or not sep.isascii() or b'"' in body or b"\0" in body:
        return None
    if b"\r" in body and body.count(b"\r") != body.count(b"\r\n"):
        return None
    codes = np.frombuffer(body, np.uint8)
    ends = int(np.count_nonzero(codes == ord("\n")))
    columns = _cut(body, sep, width, ends + body.count(b"\r") if b"\r" in body else ends)
    if columns is None:
        return None
    count = ends + (not body.endswith(b"\n"))
    line = np.arange(first_line, first_line + count)
    if len(columns[0]) < count:  # the other lines are empty
        stops = np.append(np.flatnonzero(codes == ord("\n")), codes.size)[:count]
        starts = np.concatenate([[0], stops[:-1] + 1])
        line = line[(stops > starts) & (codes[starts] != ord("\r"))]
    nothing = _says_nothing(columns)
    if nothing is not None:
        columns, line = [column.filter(pa.array(~nothing)) for column in columns], line[~nothing]
    return _frame(columns), line, count


def _frame(columns: Iterable[Any]) -> pd.DataFrame:
    return pd.DataFrame(
        {place: pd.arrays.ArrowExtensionArray(column) for place, column in enumerate(columns)}, copy=False
    )


def _says_nothing(columns: Sequence[Any]) -> NDArray[np.bool_] | None:
    """The rows of nothing but blanks; None where there are none."""
    first = columns[0]
    blank = np.array([*map(str.isspace, first.dictionary.to_pylist()), True])
    if not first.null_count and not blank[:-1].any():
        return None
    silent: NDArray[np.bool_] = blank[first.indices.fill_null(-1).to_numpy()]
    rows = zip(*(column.filter(pa.array(silent)).to_pylist() for column in columns), strict=True)
    silent[silent] = [not any(cell and cell.strip() for cell in cells) for cells in rows]
    return silent


def _cut(data: bytes, sep: str, width: int, spare: int) -> list[Any] | None:
    """The columns of plain text by PyArrow, each text once; None where lines are uneven, or what is no UTF-8.

    Of ``data`` ``spare`` bytes are ends of lines. A column that starts with a number is read as whole numbers, which is
    quicker; should the cells, written out, not fill the bytes, one has a zero before it or a sign: all are texts then.
    """
    first = data[: data.find(b"\n")].split(sep.encode())
    guess = [pa.int16() if cell.strip().isdigit() else _WORDS for cell in first]
    if len(guess) == width and pa.int16() in guess:
        columns = _read(data, sep, guess)
        filled = columns and sum(map(_length, columns)) + len(columns[0]) * (width - 1) + spare
        if columns and filled == len(data):
            return [_spelt(column) for column in columns]
    return _read(data, sep, [_WORDS] * width)


def _read(data: bytes, sep: str, kinds: Sequence[pa.DataType]) -> list[Any] | None:
    """The columns of plain text in their types; None where they are not of them."""
    from pyarrow import csv as arrow_csv

    names = [str(place) for place in range(len(kinds))]
    convert = arrow_csv.ConvertOptions(
        column_types=dict(zip(names, kinds, strict=True)),
        null_values=[""],
        strings_can_be_null=True,
        check_utf8=not data.isascii(),
    )
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(data),
            read_options=arrow_csv.ReadOptions(column_names=names, block_size=_PIECE),
            parse_options=arrow_csv.ParseOptions(delimiter=sep, quote_char=False),
            convert_options=convert,
        )
    except pa.ArrowInvalid:
        return None
    return [column.unify_dictionaries().combine_chunks() for column in table.columns]


def _length(column: Any) -> int:
    """How many bytes the cells of a column fill, numbers without a sign and without zeros before them."""
    if column.type == _WORDS:
        return pc.sum(pc.binary_length(column.dictionary).take(column.indices)).as_py() or 0
    numbers = column.fill_null(-1).to_numpy()
    highest = numbers.max(initial=0)
    return sum(int(np.count_nonzero(numbers >= least)) for least in (0, 10, 100, 1000, 10000) if least <= highest)


def _spelt(column: Any) -> Any:
    """A column of words from one of whole numbers."""
    if column.type == _WORDS:
        return column
    low, high = pc.min_max(column).as_py().values()
    if high - low < _FEW:
        codes = pc.subtract(column.cast(pa.int32()), pa.scalar(low, pa.int32()))
        return pa.DictionaryArray.from_arrays(codes, list(map(str, range(low, high + 1))), safe=False)
    encoded = column.dictionary_encode()
    return pa.DictionaryArray.from_arrays(encoded.indices, encoded.dictionary.cast(pa.string()))


def records(lines: Sequence[str], sep: str, width: int, *, last: bool) -> tuple[list[Record], list[int], int]:
    """Each record with the line it starts on, the lines on which a quote goes wrong, and how many lines are cut.

    A quote that is never closed would swallow what follows. So a record of several lines counts only with the right
    number of cells; else its first line is faulty and reading goes on with the next. A record that the last line
    leaves open is not cut if more lines are to come. Lines count from 0.
    """
    found: list[Record] = []
    broken: list[int] = []
    start, blank = 0, any(f'{sep} "' in line for line in lines)  # before a quote
    while start < len(lines):
        reader = csv.reader(
            (lines[at] for at in range(start, len(lines))), delimiter=sep, skipinitialspace=blank, strict=True
        )
        begin = start
        try:
            for fields in reader:
                stop = start + reader.line_num
                if stop - begin > 1 and len(fields) != width:
                    raise csv.Error
                found.append((begin, fields))
                begin = stop
            return found, broken, len(lines)
        except csv.Error:
            is_open = start + reader.line_num >= len(lines) and sum(map(len, lines[begin:])) < _LONGEST
            if is_open and not last:
                return found, broken, begin
            broken.append(begin)
            start = begin + 1
    return found, broken, len(lines)
