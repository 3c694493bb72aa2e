"""The shipped table of commands, as the generator needs it."""
from dataclasses import dataclass, field

SLOTS = {"NAME": "probe", "TARGETS": "all", "FILE": None, "DIR": "./cmd/tool"}
SCRIPTS = {"python3": "gen.py", "python": "gen.py", "node": "gen.js", "ruby": "gen.rb", "bash": "gen.sh", "sh": "gen.sh"}


@dataclass
class Option:
    name: str
    """`None` for a flag."""
    kind: str | None = None
    """Its value is only ever attached."""
    attached_only: bool = False


@dataclass
class Row:
    key: str
    marks: frozenset
    options: list = field(default_factory=list)
    takes_number: bool = False
    takes_all: bool = False
    needs_one: bool = False
    operands: list = field(default_factory=list)
    repeats: bool = False
    behind_dashes: str | None = None
    """It stands behind a pipe."""
    is_filter: bool = False

    @property
    def program(self):
        first = self.key.split()[0]
        return "./" if first.startswith("./") else first

    @property
    def tested(self):
        """What reads the row's words: a program that another one starts has a parser of its own."""
        words = self.key.split()
        return " ".join(words[:2]) if words[0] == "npx" or words[:2] == ["docker", "compose"] else self.program

    @property
    def words(self):
        """The key with its slots filled in."""
        words = self.key.split()
        if words[0] == "./FILE":
            return ["./gen.sh"]
        return [SCRIPTS[words[0]] if word == "FILE" else SLOTS.get(word, word) for word in words]


def rows(columns, is_filter=False):
    """One row for each key. The columns in front of the last four are keys; what a mark means is the engine's."""
    found = []
    for line in columns:
        keys, marks, options, operands = line[0], line[1], line[-3], line[-2]
        for key in keys.split(","):
            row = Row(key.strip(), frozenset(marks.split()), is_filter=is_filter)
            read_options(row, options)
            read_operands(row, operands)
            found.append(row)
    return found


def read_options(row, text):
    for token in text.split():
        if token == "-#":
            row.takes_number = True
        elif token == "all":
            row.takes_all = True
        elif token == "one":
            row.needs_one = True
        elif token == "anywhere":
            continue
        else:
            name, sign, kind = token.removesuffix("=below").partition("=")
            row.options.append(Option(name.rstrip("?"), kind if sign else None, name.endswith("?")))


def read_operands(row, text):
    dashes = False
    for token in text.split():
        if token == "--":
            dashes = True
        elif token == "none":
            continue
        elif dashes:
            row.behind_dashes = token.removesuffix("...")
        else:
            row.operands.append(token.removesuffix("..."))
            row.repeats = token.endswith("...")
