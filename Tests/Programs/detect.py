"""Rows that are wrong on purpose: a detector that keeps quiet about one of them is worth nothing."""
import table
from check import Checker

# Key, options, operands, what the real program does under it.
BAD = [
    ("tree", "-o=path", "path...", "writes"),
    ("tree", "-I=text -o=text", "path...", "writes"),
    ("find", "-name=text -delete", "path...", "writes"),
    ("find", "-fprint=text", "path...", "writes"),
    ("git diff", "--output=text", "rev...", "writes"),
    ("sort", "-o=text", "path...", "writes"),
    ("sort", "--files0-from=text", "path...", "reads trap.js"),
    ("grep", "-f=text", "text path...", "reads trap.js"),
    ("sed -n", "", "text path...", "trapout"),
    ("cat", "", "text...", "reads /etc/passwd"),
    ("head", "-n=count", "text...", "reads /etc/passwd"),
    ("rg", "--pre=text", "text path...", "executes"),
    ("git fetch", "", "text...", "executes"),
    ("git clone", "", "text...", "writes"),
    ("make", "-f=text", "text...", "executes"),
    ("bash", "-c=text", "text...", "executes"),
    ("hostname", "", "text...", "calls sethostname"),
    ("date", "-s=text", "text", "calls clock_settime"),
]


def bad_row(key, options, operands):
    row = table.Row(key, frozenset(["reads"]))
    table.read_options(row, options)
    table.read_operands(row, operands)
    return row, {"key": key, "options": options, "operands": operands, "parser": "getopt_long",
                 "reason": "is wrong", "reads": True}


def problem(bad, scratch, probe):
    """A sentence where the detector kept quiet about this bad row."""
    key, options, operands, expected = bad
    row, added = bad_row(key, options, operands)

    def noticed(result):
        return any(expected in sentence.rsplit(": ", 1)[-1] for sentence in result.violations)

    result = Checker(scratch, probe, 200, added=[added], limit=3).check(row, enough=noticed)
    if noticed(result):
        return None
    return f"nothing is said about `{key} {options} {operands}`: `{expected}` is not in {result.violations[:5]}"
