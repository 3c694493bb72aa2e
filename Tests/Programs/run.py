"""Runs the real programs with whatever the rules settle, and fails where one does more than its row says.

First rows that are wrong on purpose have to be noticed. Each row gets a number of lines; `--long` gives it more, for a
time, and writes down what ran on this machine in `baseline.json`, for machines that have fewer programs.
"""
import argparse
import os
import queue
import sys
import tempfile
import threading
import time
from pathlib import Path

import baseline
import detect
import programs
import sandbox
import table
from attacker import Attacker
from check import Checker
from probe import Probe
from scratch import Scratch


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="programs, with commas between them")
    parser.add_argument("--budget", type=int, help="lines to run for each row")
    parser.add_argument("--seconds", type=float, help="time for each row")
    parser.add_argument("--limit", type=float, help="seconds that a program may take before it is ended, and judged by what it did")
    parser.add_argument("--long", action="store_true", help="more of everything, by chance")
    parser.add_argument("--seed", type=int, help="what chance begins with")
    parser.add_argument("--attacks", type=int, help="lines that somebody makes who has read the table, in all")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.only = {name for name in options.only.split(",") if name}
    # Counted, not timed, so that each short run sees the same lines; the time is for a machine that is stuck.
    options.budget = options.budget or (2000 if options.long else 20)
    options.seconds = options.seconds or (20 if options.long else 120)
    options.limit = options.limit or (30 if options.long else 10)
    options.attack_runs = 2000 if options.long else 6
    if options.attacks is None:
        options.attacks = 1_000_000 if options.long else 20_000
    if options.seed is None:
        options.seed = int(time.time()) if options.long else 1
    return options


COUNTS = ("generated", "settled", "run", "timed_out", "attacks", "passed_attacks", "run_attacks")


class Task:
    """A row to check, or a bad one to notice."""

    def __init__(self, row=None, bad=None):
        self.row, self.bad, self.result, self.problems = row, bad, None, []

    @property
    def name(self):
        return self.row.key if self.row else f"bad {self.bad[0]} {self.bad[1]}"

    def run(self, checker):
        if self.bad:
            problem = detect.problem(self.bad, checker.scratch, checker.probe)
            self.problems = [problem] if problem else []
            return f"{self.name}: noticed"
        self.result = result = checker.check(self.row)
        self.problems = result.violations + [f"`{self.name}` gives no prefix rule for {line}" for line in result.unkeyed]
        unseen = f"; never settled: {' '.join(result.unseen)}" if result.unseen else ""
        return f"{self.name}: {result.generated} generated, {result.settled} settled, {result.run} run{unseen}"


class Run:
    def __init__(self, options, base):
        self.options, self.base = options, base
        self.waiting, self.done = queue.Queue(), queue.Queue()

    def tasks(self, rows):
        self.rows = rows
        listed = [Task(row=row) for row in rows if programs.are_here(row)]
        if self.options.only:
            return [task for task in listed if {task.row.program, task.row.tested} & self.options.only]
        if not self.options.long:
            listed = [task for task in listed if task.row.program not in programs.LARGE]
        return [Task(bad=bad) for bad in detect.BAD if programs.find(bad[0].split()[0])] + listed

    def checker(self, number):
        """With what it needs of its own; bad rows get no attacker."""
        scratch, probe = Scratch(self.base / f"w{number}"), Probe()
        scratch.base.mkdir()
        scratch.make()
        options = self.options
        checker = Checker(scratch, probe, options.budget, options.seconds, options.long, options.seed, limit=options.limit)
        checker.attacker = Attacker(self.rows, options.seed + number)
        checker.attacks, checker.attack_runs = options.attacks // self.count, options.attack_runs
        return checker

    def work(self, number):
        checker = self.checker(number)
        while True:
            try:
                task = self.waiting.get_nowait()
            except queue.Empty:
                return
            try:
                said = task.run(checker)
            except Exception as error:
                said = f"{task.name}: {error!r}"
                task.problems = [said]
                checker.scratch.restore()
            self.done.put((task, said))

    def all(self, tasks):
        """Every task, as it is done."""
        self.count = max(1, sum(1 for task in tasks if task.row))
        for task in tasks:
            self.waiting.put(task)
        for number in range(self.options.jobs):
            threading.Thread(target=self.work, args=(number,), daemon=True).start()
        for _ in tasks:
            yield self.done.get()


def main():
    options = arguments()
    base = Path(os.environ.get(sandbox.MARK) or tempfile.mkdtemp(prefix="cdp."))
    sandbox.enter(base)
    began = time.monotonic()
    probe = Probe()
    rows = table.rows(probe.ask({"table": True})) + table.rows(probe.ask({"filters": True}), is_filter=True)
    print(f"seed {options.seed}")
    run = Run(options, base)
    failed = passed = 0
    finished = []
    for task, said in run.all(run.tasks(rows)):
        print(said, flush=True)
        for problem in task.problems:
            print(f"FAILED {problem}", flush=True)
        failed, passed = failed + bool(task.problems), passed + (not task.problems)
        finished.append(task)
    results = [(task.row, task.result) for task in finished if task.result]
    total = {name: sum(getattr(result, name) for _, result in results) for name in COUNTS}
    print(", ".join(f"{name} {number}" for name, number in total.items()))
    scratch = Scratch(base / "w0")
    for name in sorted({row.tested for row, _ in results}):
        if sentence := programs.broken(name, scratch):
            failed += 1
            print(f"FAILED {name} does not start: {sentence}")
    if options.long:
        baseline.write(results, scratch)
    if not options.only:
        for problem in baseline.problems(rows, results):
            failed += 1
            print(f"FAILED {problem}")
    print(f"===== {failed} failed, {passed} passed in {time.monotonic() - began:.1f}s =====")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
