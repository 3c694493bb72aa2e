#!/usr/bin/env python3
"""Writes the figures of docs/performance.md: builds a release, runs the whole benchmark on a machine that does nothing
else, and puts its tables between the two marks of that page.

    publish.py [--claude PATH] [--chromium PATH] [--quick] [NAME…]
                                                     measure, all rows or those named, and write
    publish.py --from REPORT                         write what `cdev-bench --json` wrote before

Rows that are not named keep the figures that the page has.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/performance.md"
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"


def short(value):
    """Three significant figures, whole numbers from a hundred on: as the benchmark prints them."""
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    return f"{value:.{1 if size >= 10 else 2 if size >= 1 else 3}f}"


def with_unit(value, unit):
    return f"{short(value)} {unit}".rstrip()


def goal(check):
    limit = check["goal"]
    if not limit:
        return "–", ""
    (kind, value), = limit.items()
    sign = "≤" if kind == "at_most" else "≥"
    return f"{sign} {with_unit(value, check['unit'])}", "yes" if check["met"] else "**no**"


def table(header, rows):
    lines = [header, ["---"] + ["--:"] * (len(header) - 1)] + rows
    return "".join("| " + " | ".join(line) + " |\n" for line in lines) + "\n"


def section(row):
    text = f"### `{row['name']}`\n\nMeasures {row['measures']}. Against {row['against']}.\n\n"
    if "no_figures" in row:
        return text + f"No figures: {row['no_figures']}\n\n"
    if row["checks"]:
        checks = [[check["label"], with_unit(check["value"], check["unit"]), *goal(check)] for check in row["checks"]]
        text += table(["result", "", "goal", "met"], checks)
    if row["figures"]:
        figures = [[
            figure["label"].strip(), with_unit(figure["median"], figure["unit"]),
            with_unit(figure["p99"], figure["unit"]) if figure["p99"] is not None else "", f"{figure['n']:,}",
        ] for figure in row["figures"]]
        text += table(["figure", "median", "p99", "samples"], figures)
    return text + "".join(f"Note: {note}\n\n" for note in row["notes"])


def page_with(report):
    before, rest = PAGE.read_text().split(BEGIN)
    figures, after = rest.split(END)
    known = {text.split("`")[1]: text for text in re.split(r"(?m)^(?=### `)", figures)[1:]}
    rows = known | {row["name"]: section(row) for row in report["rows"]}
    text = "".join(rows[name] for name in sorted(rows))
    met, missed = len(re.findall(r"\| yes \|$", text, re.M)), len(re.findall(r"\| \*\*no\*\* \|$", text, re.M))
    head = f"{report['machine']} when it was measured last. {met} of {met + missed} goals met.\n\n"
    return before + BEGIN + "\n" + head + text + END + after


def measure(options):
    for product in ("cdev", "cdev-hook", "cdev-bench", "cdev-bench-floor"):
        build = ["swift", "build", "--package-path", "Benchmarks", "-c", "release", "--product", product]
        subprocess.run(build, cwd=ROOT, check=True)
    command = [ROOT / "Benchmarks/.build/release/cdev-bench", "--json", *(["--quick"] if options.quick else [])]
    for name in ("claude", "chromium"):
        if path := getattr(options, name):
            command += [f"--{name}", path]
    return json.loads(subprocess.run([*command, *options.rows], check=True, stdout=subprocess.PIPE, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claude", metavar="PATH")
    parser.add_argument("--chromium", metavar="PATH")
    parser.add_argument("--from", dest="report", type=pathlib.Path, metavar="REPORT")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("rows", nargs="*", metavar="NAME")
    options = parser.parse_args()
    report = json.loads(options.report.read_text()) if options.report else measure(options)
    PAGE.write_text(page_with(report))
    print(f"{PAGE.relative_to(ROOT)} is written; read what it says before you commit it")


if __name__ == "__main__":
    sys.exit(main())
