"""Values that PyPI `hypothesis` makes up for the parameters of methods: as a schema wants them, nearly so, and hostile ones."""
import json
import os
import re

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

IS_LONG = os.environ.get("CDEV_LONG_TESTS") == "1"


def bounded(short, long=10_000):
    """So many examples, and the many with `install/test.sh --long`. None is kept or made smaller: they are made by number."""
    return settings(
        max_examples=long if IS_LONG else short, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much])


def weighted(*parts):
    """One of the strategies, as often as its number says: `one_of` takes those that it is nested of for its own."""
    return st.sampled_from([number for number, (weight, _) in enumerate(parts) for _ in range(weight)]).flatmap(
        lambda number: parts[number][1])


# The words of a daemon that did not expect what it was sent.
CRASH = ("fatal", "unexpectedly", "index out of", "precondition", "nil while", "overflow", "assert")

NAMES = st.sampled_from([
    "", ".", "..", "...", "src", "deep", "main.ts", "README.md", ".git", ".GIT", "config", ".env", ".ENV", "notes",
    "way-out", "leaf", "up", "pipe", "f", "x.txt", "image.png", "space-outside", "etc", "passwd", "proc", "self", "fd",
    "~", "%2e%2e", "..\\..", "\0", "\n", " ", "\u202e", "\u0301", "a" * 300,
])
PATHS = st.one_of(
    st.lists(NAMES, max_size=8).map("/".join), st.lists(NAMES, max_size=4).map(lambda names: "/" + "/".join(names)),
    st.text(max_size=40), st.lists(NAMES, min_size=1, max_size=2000).map("/".join))
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-2**70, 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3), max_leaves=8)

# What only JSON text can say. `written` puts it in place of these words.
NUMBERS = ["1e400", "-1e400", "1E-999", "-0", "9" * 400, "0." + "1" * 400, "18446744073709551616", "9223372036854775808"]
_RAW = re.compile(r'"@@(.*?)@@"')
HALVES = st.text(st.sampled_from(["\ud800", "\udfff", "\udc00", "a", "\U0001f600", "\0"]), min_size=1, max_size=8)
RAW = st.one_of(
    # Twice as deep, and 128 is the ceiling.
    st.sampled_from(NUMBERS), st.integers(1, 50).map(lambda depth: f"deep {depth}")).map(lambda word: f"@@{word}@@")
HOSTILE = st.one_of(JUNK, HALVES, RAW, PATHS)


def written(value):
    """A value as JSON text."""
    return _RAW.sub(lambda found: _raw(found[1]), json.dumps(value))


def _raw(word):
    if not word.startswith("deep "):
        return word
    depth = int(word[5:])
    return "[" * depth + '{"a":' * depth + "1" + "}" * depth + "]" * depth


def of(schema, words, junk=JUNK):
    """Values for a parameter, most of them as its schema wants them; all of them without `junk`."""
    kind = schema.get("type")
    if "enum" in schema:
        good = st.sampled_from(schema["enum"])
    elif kind == "integer":
        low, high = schema.get("minimum", -2**53), schema.get("maximum", 2**53)
        good = st.integers(low, high)
    elif kind == "boolean":
        good = st.booleans()
    elif kind == "string":
        good = st.one_of(st.sampled_from(words), PATHS, st.just("2026-11-20T10:30:00Z"))
    elif kind == "array":
        good = st.lists(of(schema.get("items", {}), words, junk), max_size=3)
    elif kind == "object":
        members = {name: of(member, words, junk) for name, member in schema.get("properties", {}).items()}
        good = st.fixed_dictionaries({}, optional=members)
    else:
        good = JUNK
    return good if junk is None else weighted((4, good), (1, junk))


def parameters(method, words, junk=JUNK, fixed=()):
    """Those of a method, all that are required and any of the others. `fixed` are strategies for some, by name."""
    members = {}
    for parameter in method["params"]:
        # Nothing here waits for an event.
        waits = method.get("x-scheduling", {}).get("waits") == parameter["name"]
        made = st.just(0) if waits else of(parameter["schema"], words, junk)
        members[parameter["name"]] = dict(fixed).get(parameter["name"], made)
    needed = {p["name"]: members.pop(p["name"]) for p in method["params"] if p["required"]}
    return st.fixed_dictionaries(needed, optional=members)
