"""A file of results scored into Parquet, by us, by Polars and by DuckDB: `python benchmarks/streaming.py ours IN OUT`.

Each in a process by itself, which prints its processor time in seconds and its peak of memory in MiB. The peers join
the law, a table of 2,968 rows, and the table of boards, and write what our file holds of such rows, in the same types
of columns as far as they have them; not the columns that are empty in ours. Polars may change the order, and DuckDB
numbers no rows, which would take gigabytes.
"""

import shutil
import sys
from time import process_time

import numpy as np
import pandas as pd
import pyarrow as pa
from peak_memory import status
from samples import event_rows

import bridge_analytics as ba
from bridge_analytics.batch import score_files

STEP = 1_000_000


def write_sample(path, rows):
    """Results of boards of 13 at fixed seeds, a million at a time: a CSV as pandas or Polars write it, or Parquet."""
    from pyarrow import csv, parquet

    with open(path, "wb") as sink:
        writer = None
        for start in range(0, rows, STEP):
            table = event_rows(start, min(STEP, rows - start))
            if path.endswith(".csv"):
                texts = [
                    column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column for column in table
                ]
                table = pa.table(dict(zip(table.column_names, texts, strict=True)))
            if writer is None and path.endswith(".csv"):
                sink.write((",".join(table.column_names) + "\n").encode())
                plain = csv.WriteOptions(include_header=False, quoting_style="none")
                writer = csv.CSVWriter(sink, table.schema, write_options=plain)
            writer = writer or parquet.ParquetWriter(sink, table.schema)
            writer.write_table(table)
        writer.close()


def law():
    contract, vulnerable, tricks = (place.ravel() for place in np.indices((106, 2, 14)))
    words = np.array(ba.CONTRACTS)[contract]
    cells = {"contract": words, "vulnerable": vulnerable == 1, "tricks": tricks.astype("int8")}
    return pd.DataFrame(cells | {"score": ba.score_table().ravel().astype("int32")})


def boards():
    """Dealer and vulnerability of each board, and whether declarer's side is vulnerable."""
    number, declarer = (place.ravel() for place in np.meshgrid(np.arange(1, 37), list("NESW"), indexing="ij"))
    vul = ba.board_vul(number)
    told = {"board": number.astype("int32"), "declarer": declarer, "dealer": ba.board_dealer(number), "vul": vul}
    return pd.DataFrame(told | {"vulnerable": ba.is_vulnerable(vul, declarer)}).astype({"dealer": "str", "vul": "str"})


def ours(source, target):
    shutil.rmtree(target, ignore_errors=True)
    score_files(source, target)


def by_polars(source, target):
    import polars as pl

    texts = dict.fromkeys(("event", "ns", "ew", "contract", "declarer"), pl.String)
    rows = pl.scan_csv(source, schema_overrides=texts | {"board": pl.Int32, "tricks": pl.Int8}, row_index_name="row")
    passed = pl.col("contract") == "Pass"
    where = pl.from_pandas(boards().drop(columns=["vulnerable", "declarer"]).drop_duplicates()).lazy()
    side = pl.from_pandas(boards()[["board", "declarer", "vulnerable"]]).lazy()
    scored = (
        rows.join(where, on="board", how="left")
        .join(side, on=["board", "declarer"], how="left")
        .join(pl.from_pandas(law()).lazy(), on=["contract", "vulnerable", "tricks"], how="left")
        .with_columns(
            score=pl.when(passed).then(0).otherwise(pl.col("score")),
            board_label=pl.col("board").cast(pl.String),
            vul_source=pl.lit("board"),
            status=pl.when(passed).then(pl.lit("passed")).otherwise(pl.lit("played")),
            source=pl.lit(source),
            source_row=pl.col("row").cast(pl.Int64) + 2,
        )
        .with_columns(score_ns=pl.when(pl.col("declarer").is_in(["E", "W"])).then(-pl.col("score")).otherwise("score"))
    )
    scored.drop("row").sink_parquet(target)


def by_duckdb(source, target):
    import duckdb

    laws, sides, where = law(), boards(), boards().drop(columns=["vulnerable", "declarer"]).drop_duplicates()
    database = duckdb.connect()
    for name, table in (("laws", laws), ("sides", sides), ("places", where)):
        database.register(name, table)
    database.execute(
        f"""copy (
            select r.*, p.dealer, p.vul, 'board' as vul_source, r.board::varchar as board_label,
                case when r.contract = 'Pass' then 'passed' else 'played' end as status,
                '{source}' as source, s.vulnerable,
                case when r.contract = 'Pass' then 0 else l.score end as score,
                case when r.contract = 'Pass' then 0 when r.declarer in ('E', 'W') then -l.score
                    else l.score end as score_ns
            from read_csv('{source}', types = {{'event': 'varchar', 'ns': 'varchar', 'ew': 'varchar'}}) r
            left join places p on r.board = p.board
            left join sides s on r.board = s.board and r.declarer = s.declarer
            left join laws l on r.contract = l.contract and s.vulnerable = l.vulnerable and r.tricks = l.tricks
        ) to '{target}' (format parquet)"""
    )


def matchpoints(source, target):
    shutil.rmtree(target, ignore_errors=True)
    score_files(source, target, forms="matchpoints", memory="2GiB")


WAYS = {"ours": ours, "polars": by_polars, "duckdb": by_duckdb, "matchpoints": matchpoints}

if __name__ == "__main__":
    way, read, wrote = sys.argv[1:]
    if way == "sample":
        write_sample(read, int(wrote))
    else:
        start = process_time()
        WAYS[way](read, wrote)
        # not getrusage: its largest is that of the process that started this one, too
        print(process_time() - start, status("VmHWM") / 2**20)
