"""Checks that take too long for every change: `python benchmarks/long_checks.py`, or with the names of some.

Each returns whether it holds and what it saw. Exit code 0: all hold.
"""

import sys
from itertools import pairwise, product
from resource import RUSAGE_SELF, getrusage
from time import process_time

import numpy as np
import pandas as pd
import peak_memory
import samples
import stream_checks
from file_checks import a_long_csv_in_parts_takes_the_memory_of_a_part, spoilt_files_are_read_as_far_as_they_can_be
from solved_checks import three_notrump_makes_as_often_as_published, total_tricks_are_total_trumps_as_published

import bridge_analytics as ba
from bridge_analytics.inference import clustered_bootstrap, clustered_mean

SCORING = [name for name, kind in ba.editions()[["name", "kind"]].itertuples(index=False) if kind == "scoring"]


def scalar_score(laws, code, vulnerable, tricks):
    """A score once more, one result at a time, with the numbers of an edition and no table."""
    if code == 0:
        return 0
    level, strain, doubled = (code + 14) // 15, (code - 1) // 3 % 5, (code - 1) % 3
    names = ("undoubled", "doubled", "redoubled")
    if tricks < 6 + level:
        each = laws[f"undertrick.{names[doubled]}"][vulnerable]
        return -sum(each[min(trick, len(each) - 1)] for trick in range(6 + level - tricks))
    minor, major = laws["trick_score.minor"], laws["trick_score.major"]
    first, later = laws["trick_score.notrump"] if strain == 4 else (major, major) if strain > 1 else (minor, minor)
    points = (first + (level - 1) * later) * laws["trick_score.doubled"][doubled]
    total = points + laws["premium.game" if points >= laws["trick_score.game"] else "premium.partscore"][vulnerable]
    total += laws["premium.small_slam"][vulnerable] if level == 6 else 0
    total += laws["premium.grand_slam"][vulnerable] if level == 7 else 0
    total += laws[f"premium.making_{names[doubled]}"][vulnerable] if doubled else 0
    return total + (tricks - 6 - level) * (laws[f"overtrick.{names[doubled]}"][vulnerable] if doubled else later)


def every_edition_scores_10_million_results_as_the_scalar_law():
    """Random order and repetition find what the table of 2,968 cells alone would not: chunks, offsets, overflow."""
    sample, wrong = samples.cells(10_000_000), 0
    cell = np.ravel_multi_index([np.asarray(sample[name], int) for name in sample], (106, 2, 14))
    for edition in SCORING:
        laws = ba.load_edition(edition)
        table = np.array(
            [scalar_score(laws, *map(int, np.unravel_index(place, (106, 2, 14)))) for place in range(2968)]
        )
        wrong += int((ba.score(**sample, edition=edition) != table[cell]).sum())
    return wrong == 0, f"{wrong} wrong of 10 million results under each of {len(SCORING)} editions"


def matchpoints_cost_the_same_for_each_row():
    """100,000 to 10 million rows of boards of 13: in order, the dearest row is at most a fifth above the cheapest.

    Shuffled rows are told, not judged: once they outgrow the cache, to bring each result back to its place costs more.
    """
    costs = dict.fromkeys(product((False, True), (100_000, 1_000_000, 10_000_000)), np.inf)
    for shuffled, rows in 9 * list(costs):  # by turns
        sample, start = samples.field(rows, 13, shuffled=shuffled), process_time()
        ba.matchpoints(sample["score"], by=sample["board"])
        costs[shuffled, rows] = min(costs[shuffled, rows], (process_time() - start) / rows * 1e9)
    best = list(costs.values())
    in_order, mixed = (" ".join(f"{cost:.1f}" for cost in half) for half in (best[:3], best[3:]))
    return max(best[:3]) <= 1.2 * min(best[:3]), f"{in_order} ns a row; shuffled {mixed}"


def rubbers_cost_the_same_for_each_deal():
    """10,000 to 10 million deals, as many rubbers and as one long evening: none is dearer by half than another.

    A further deal: without what a call costs by itself. Judged by the work of the package alone (user time); what the
    system takes to hand out memory, a gigabyte for the longest sheet, is told with it.
    """
    sizes, seen, holds = (10_000, 100_000, 1_000_000, 10_000_000), [], True
    for long in (False, True):
        best, whole_time = dict.fromkeys(sizes, np.inf), 0.0
        deals = {size: pd.DataFrame(samples.rubbers(size, long=long), copy=False) for size in sizes}
        for size in 4 * sizes:  # by turns
            calls, start, user = max(1, 1_000_000 // size), process_time(), getrusage(RUSAGE_SELF).ru_utime
            for _ in range(calls):
                ba.score_rubbers(deals[size], split=True)
            best[size] = min(best[size], (getrusage(RUSAGE_SELF).ru_utime - user) / calls)
            whole_time = process_time() - start if size == sizes[-1] else whole_time
        more = [(best[size] - best[less]) / (size - less) * 1e9 for less, size in pairwise(sizes)]
        holds &= max(more) <= 1.5 * min(more)
        whole, further = ("one long" if long else "many"), " ".join(f"{cost:.0f}" for cost in more)
        seen.append(f"{whole} {further} ns a further deal, {whole_time:.2f} s for 10 million with the system's")
    return holds, "; ".join(seen)


def cross_imps_of_a_million_results_add_up_to_nothing():
    """What one side wins the other loses, on every board; boards of 10, of 60 and of 10,000, which go three ways."""
    left = []
    for size in (10, 60, 10_000):
        sample = samples.field(1_000_000, size, shuffled=True)
        total = ba.cross_imps(sample["score"], by=sample["board"], average=False)
        left.append(np.abs(np.bincount(sample["board"], total)).max())
    return max(left) == 0, f"left over at most {max(left):g} IMPs"


def score_needs_no_more_memory_than_its_columns_its_result_and_64_mib():
    """10 million rows, in each kind of column; each in a process by itself."""
    from bench_processes import ROWS, run

    beyond = {kind: float(run(peak_memory.__file__, kind, str(ROWS))) for kind in peak_memory.KINDS}
    return max(beyond.values()) <= 64, ", ".join(f"{kind} {mib:.0f}" for kind, mib in beyond.items()) + " MiB"


def bootstrap_intervals_cover_what_they_should():
    """95 % BCa intervals of 1,000 samples of 200 deals of 5 tables with a design effect of 3: 93 to 97 in 100 cover."""
    random, covered, naive, rounds = np.random.default_rng(5), 0, 0, 1_000
    deals = np.repeat(np.arange(200), 5)
    for seed in range(rounds):
        values = random.normal(0, np.sqrt(0.5), 200)[deals] + random.normal(0, np.sqrt(0.5), deals.size)
        drawn = clustered_bootstrap(values, cluster=deals, seed=seed, draws=999)
        alone = clustered_mean(values, cluster=None)
        covered += bool((drawn["low"] <= 0).item() and (drawn["high"] >= 0).item())
        naive += bool((alone["low"] <= 0).item() and (alone["high"] >= 0).item())
    shares = 100 * covered / rounds, 100 * naive / rounds
    return 93 <= shares[0] <= 97, f"{shares[0]:.1f} % cover; {shares[1]:.1f} % of the naive ones"


CHECKS = (
    stream_checks.a_run_that_is_killed_at_ten_random_points_ends_in_the_same_bytes,
    stream_checks.matchpoints_of_100_million_results_cost_the_same_for_each_row_within_2_gib,
    bootstrap_intervals_cover_what_they_should,
    every_edition_scores_10_million_results_as_the_scalar_law,
    matchpoints_cost_the_same_for_each_row,
    rubbers_cost_the_same_for_each_deal,
    cross_imps_of_a_million_results_add_up_to_nothing,
    score_needs_no_more_memory_than_its_columns_its_result_and_64_mib,
    a_long_csv_in_parts_takes_the_memory_of_a_part,
    spoilt_files_are_read_as_far_as_they_can_be,
    total_tricks_are_total_trumps_as_published,
    three_notrump_makes_as_often_as_published,
)


def main(names):
    failed = 0
    for check in CHECKS:
        if not names or check.__name__ in names:
            holds, seen = check()
            print(f"{'holds' if holds else 'FAILS'}  {check.__name__.replace('_', ' ')}: {seen}", flush=True)
            failed += not holds
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
