"""What ran on a machine that had the programs, for machines that have not: `baseline.json`."""
import hashlib
import json
import os
from pathlib import Path

import programs

FILE = Path(__file__).parent / "baseline.json"
# A descriptor, open for writing.
HANDED = "CDEV_PROGRAMS_BASELINE"
COUNTS = ("generated", "settled", "run")


def load():
    return json.loads(FILE.read_text())


def digest(rows):
    """Changes with what the rows of a program settle."""
    text = "\n".join(sorted(repr((row.key, sorted(row.marks), row.options, row.operands, row.behind_dashes)) for row in rows))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def write(results, scratch):
    """What held, to what `sandbox.enter` opened for it: here all else is read-only."""
    found = {}
    for name in sorted({row.tested for row, _ in results}):
        own = [(row, result) for row, result in results if row.tested == name]
        if any(result.violations or result.unkeyed for _, result in own) or programs.broken(name, scratch):
            continue
        version = programs.version(name, scratch) if name != "./" else "sh"
        entry = {"version": version, "rows": digest([row for row, _ in own])}
        entry |= {count: sum(getattr(result, count) for _, result in own) for count in COUNTS}
        found[name] = entry
    with os.fdopen(int(os.environ[HANDED]), "w") as file:
        json.dump(found, file)


def keep(text):
    """What `write` handed out, among what is kept already."""
    kept = load()
    kept["programs"] = dict(sorted((kept["programs"] | json.loads(text)).items()))
    for list_name in ("not yet run", "cannot be had"):
        kept[list_name] = sorted(name for name in kept[list_name] if name not in kept["programs"])
    FILE.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


def problems(rows, results):
    """Rows for which nothing speaks; what is known of an older row is said, and no problem."""
    known, here = load(), {row.tested for row, _ in results}
    for name in sorted({row.tested for row in rows} - here):
        own = [row for row in rows if row.tested == name]
        if name in known["programs"]:
            if known["programs"][name]["rows"] != digest(own):
                print(f"the rows of {name} changed since it was run: install/test.sh --only programs --long")
        elif name in known["not yet run"]:
            print(f"nobody has run {name} yet: install/test.sh --only programs --long")
        elif name not in known["cannot be had"]:
            yield f"{name} is neither here nor in {FILE.name}: run it with --long, or list it there as one that cannot be had"
        else:
            for row in own:
                if not words_only(row):
                    yield f"`{row.key}` was never run: it may have words of its own only, no option with a value, no bundle"


def words_only(row):
    """One letter is no word: a parser might take it apart."""
    if row.takes_all or row.takes_number or any(option.kind for option in row.options):
        return False
    return row.marks.isdisjoint({"argparse", "clap", "getopt", "getopt_long", "pflag"}) or not row.options
