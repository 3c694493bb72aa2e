"""One row against its real program."""
import random
import shlex
import time
from dataclasses import dataclass, field

import observe
import programs
from attacker import shape
from judge import Judge
from lines import Generator, plain, plain_value

ELSEWHERE = ("vendor/x", "src", "evil.d")
BATCH = 4000
LINTERS = {"eslint", "markdownlint-cli2", "oxlint", "prettier", "rubocop", "stylelint", "tslint"}
# Tags of lines that a row's author would not think of: there are many, and few are settled.
GUESSES = ("letter", "bundle", "abbreviation", "foreign", "one dash", "dash", "negated", "option behind")
# Lines of a row that are run however slow its program is.
LEAST = 6


@dataclass
class Result:
    program: str
    generated: int = 0
    settled: int = 0
    run: int = 0
    timed_out: int = 0
    """Lines that an attacker made, those of them that were settled, and those whose like had not been run before."""
    attacks: int = 0
    passed_attacks: int = 0
    run_attacks: int = 0
    violations: list = field(default_factory=list)
    """The row's plain form got no prefix rule: nothing was tested."""
    unkeyed: list = field(default_factory=list)
    """Options of the row in no line that was settled: nothing is known of them."""
    unseen: list = field(default_factory=list)


def rank(tag, words):
    """What is run first: a row has more lines than there is time for."""
    if tag.startswith(GUESSES):
        return 3
    if tag.startswith(("operand", "behind")):
        return 2
    return 0 if any("trap" in word for word in words) or tag == "plain" else 1


class Checker:
    """Has a scratch project and a probe of its own."""

    """Options that were run, by the rows of one line of the table: what they say of them is the same for each."""
    covered = {}

    def __init__(self, scratch, probe, budget, seconds=60, wide=False, seed=1, added=None, limit=10):
        self.scratch, self.probe, self.wide, self.seed = scratch, probe, wide, seed
        self.budget, self.seconds, self.limit, self.added = budget, seconds, limit, added
        self.environment = programs.environment(scratch)
        self.help = {}
        """Makes lines for each row, `attacks` of them; `None`: nobody does."""
        self.attacker, self.attacks, self.attack_runs = None, 0, 0
        """Of all that ran for the row at hand."""
        self.shapes = set()

    def line(self, row, words):
        """A shell's text for the words."""
        text = " ".join(shlex.quote(word) for word in words)
        return f"cat a.txt | {text}" if row.is_filter else text

    def ask(self, approved, lines, below=""):
        """Which of the lines are settled, and whether the first approved one has a prefix rule."""
        root = str(self.scratch.root)
        request = {"root": root, "home": str(self.scratch.home), "cwd": root, "approved": approved}
        if below:
            request["next_cwd"] = f"{root}/{below}"
        if self.added:
            request["rows"] = self.added
        settled, keyed = [], False
        for start in range(0, len(lines), BATCH):
            answer = self.probe.ask(request | {"next": lines[start:start + BATCH]})
            settled += answer["settled"]
            keyed = any(pattern.endswith(":*)") for patterns in answer["patterns"] for pattern in patterns)
        return settled, keyed

    def options(self, row):
        own = tuple(word for word in row.words if not word.startswith("-"))
        if own not in self.help:
            self.help[own] = programs.long_options(row, self.scratch, 200 if self.wide else 60)
        return self.help[own]

    def check(self, row, enough=lambda result: False):
        """Runs what is settled, until that is `enough` or the time is up."""
        result = Result(row.program)
        self.shapes = set()
        generator = Generator(row, self.options(row), self.seed, self.wide)
        by_line = {}
        for tag, words in generator.lines():
            by_line.setdefault(self.line(row, words), (tag, words))
        lines = list(by_line)
        # Where an option's value is part of the key, it has one of its own.
        keys = [row.words + [option.name, plain_value(option.kind)] for option in row.options if option.kind in ("place", "project")]
        # Without an operand a linter is given all there is, with the settings that nobody is to approve.
        bare = [] if row.tested.removeprefix("npx ") in LINTERS else [row.words]
        approved = [self.line(row, words) for words in (plain(row), *bare, *keys)]
        settled, keyed = self.ask(approved, lines)
        result.generated = len(lines)
        if not keyed:
            result.unkeyed.append(approved[0])
            return result
        passed = [by_line[line] for line, isSettled in zip(lines, settled) if isSettled]
        result.settled = len(passed)
        tags = {tag.split()[0] for tag, _ in passed if tag}
        result.unseen = [option.name for option in row.options if option.name not in tags]
        judge = Judge(row, self.scratch, programs.places())
        self.learn(row, judge)
        end = time.monotonic() + self.seconds
        first = self.first(row, passed) if self.wide else []
        least = max(LEAST, len(first))
        for words in first + self.chosen(passed):
            if (time.monotonic() > end and result.run >= least) or enough(result) or result.run >= self.budget:
                break
            self.run(row, words, judge, result)
        if not judge.effects.runs and not row.is_filter and not enough(result):
            self.elsewhere(row, approved, judge, result)
        if self.attacker:
            self.attack(row, approved, judge, result)
        return result

    def attack(self, row, approved, judge, result):
        """What is settled and unlike all that ran before runs now, as long as there is time."""
        # Whichever rows came before.
        self.attacker.random.seed(f"{self.seed} {row.key}")
        made = list(self.attacker.lines(row, self.attacks, self.options(row)))
        settled, _ = self.ask(approved, [self.line(row, words) for words in made])
        result.attacks = len(made)
        result.passed_attacks = sum(settled)
        end = time.monotonic() + self.seconds
        for words, isSettled in zip(made, settled):
            if result.run_attacks >= self.attack_runs or time.monotonic() > end:
                break
            if isSettled and shape(words) not in self.shapes:
                result.run_attacks += 1
                self.run(row, words, judge, result)

    def learn(self, row, judge):
        for words in (plain(row), row.words):
            judge.learn(self.execute(row, words, self.scratch.root))

    def first(self, row, passed):
        """A line for each option that no row of its line of the table has run yet."""
        covered = self.covered.setdefault((row.tested, repr(row.options)), set())
        found = {}
        for tag, words in passed:
            name = tag.split()[0]
            # Good values come first.
            if name not in covered and any(name == option.name for option in row.options):
                found.setdefault(name, words)
        covered |= set(found)
        return list(found.values())

    def chosen(self, passed):
        """One of each tag by chance, the row's own options first, then its operands, then guesses; then the rest."""
        chance = random.Random(self.seed)
        chance.shuffle(passed)
        by_tag = {}
        for tag, words in passed:
            by_tag.setdefault(tag, []).append(words)
        first = [(rank(tag, lines[-1]), chance.random(), lines.pop()) for tag, lines in by_tag.items()]
        ordered = [words for *_, words in sorted(first)] + [words for lines in by_tag.values() for words in lines]
        return ordered[:self.budget]

    def elsewhere(self, row, approved, judge, result):
        """The plain form where settings were planted."""
        for below in ELSEWHERE:
            for words in (plain(row), row.words):
                settled, _ = self.ask(approved, [self.line(row, words)], below)
                result.generated += 1
                if settled[0]:
                    result.settled += 1
                    self.run(row, words, judge, result, below)

    def run(self, row, words, judge, result, below=""):
        cwd = self.scratch.root / below
        self.shapes.add(shape(words))
        seen = self.execute(row, words, cwd)
        result.run += 1
        result.timed_out += seen.timed_out
        program = (programs.find(row.program) or [str(self.scratch.root / "gen.sh")])[0]
        sentences = judge.violations(seen, program, words[1:], cwd)
        if sentences:
            # What an earlier line left behind, or a process that outlived it, is no doing of this one.
            self.scratch.restore()
            seen = self.execute(row, words, cwd)
            again = set(judge.violations(seen, program, words[1:], cwd))
            sentences = [sentence for sentence in sentences if sentence in again]
        for sentence in sentences:
            line = (f"cd {below} && " if below else "") + self.line(row, words)
            result.violations.append(f"`{row.key}`: {line}: {sentence}")
        if any(self.changes(event) for event in seen.events):
            self.scratch.restore()

    def changes(self, event):
        """Nothing but the scratch directory can be written; devices, which many programs open, are no change."""
        written = event.what == "write" and event.path.startswith(f"{self.scratch.base}/")
        return (written or event.what == "machine") and not event.failed

    def execute(self, row, words, cwd):
        program = programs.find(row.program)
        started = [*program, *words[1:]] if program else [str(self.scratch.root / words[0]), *words[1:]]
        stdin = self.scratch.root / "a.txt" if row.is_filter else None
        return observe.run(started, cwd, self.environment, self.scratch.base / "trace", self.limit, stdin)
