"""Command lines of a row, as its author meant it and as somebody would who has read it."""
import itertools
import random
import string

HOSTILE_TEXTS = [
    "trap.js", "c=trap.js", "o=trapout", "=trapout", "-otrapout", "--output=trapout", "@trap.txt", "/etc/passwd",
    "../outside/secret.txt", "out/x.txt", ".env", "~/.netrc", "-", "", "e touch trapout", "w trapout", "!touch trapout",
    "`touch trapout`", "$(touch trapout)", "|touch trapout", "os.abort", "manage.main", "env", "%x", "+x", ":(top)",
    "ext::touch trapout", "file://trap", "{{.}}", "1,5w trapout", "r /etc/passwd", "trap,evil", "a:b", "0x1", "1e9",
]
VALUES = {
    "count": ["1", "3", "10", "-1", "+2", "1k", "0"],
    "condition": ["x", "a and not b", "a(b)", "a.b", "-ptrap", "[trap]", "@trap.txt", "__import__('os').system('touch trapout')"],
    "workers": ["2", "auto", "logical", "trap.py", "-ptrap", "x"],
    "text": ["x", "a b", "*.txt", "^a"] + HOSTILE_TEXTS,
    "pattern": ["x", "^a", "a|b"] + HOSTILE_TEXTS,
    "name": ["main", "HEAD", "x", "HEAD~1", "v1", "origin/main", "lib", "evil", "trap", "trap.js", "a.txt", "o", "@{u}",
             "tests.test_a", "manage.main", "os.abort", "e^x", "x/y", "out/x.txt", "trapout", "stash@{0}", "evil.git"],
    "remote": ["origin", "lib", "evil", "evil.git", "trap", "o^rigin", "ORIGIN", "up", "HEAD"],
    "rev": ["HEAD", "HEAD~1", "main..topic", "v1", "HEAD~1:a.txt", "a.txt", "src", "evil", "lib", "HEAD^{/touch}",
            "@{-1}", "main:../outside/secret.txt", "trap", "^main", "@{upstream}"],
    "path": ["a.txt", "src", "src/a.txt", ".", "README.md", "missing", "src/../a.txt", "./b.txt", "out/x.txt", "outfile",
             "../outside/secret.txt", "/etc/passwd", "~", ".env", "secretlink", "@trap", "=trap", "-", "inlink/a.txt",
             "a.txt:trap", "a.txt,trap.js", "x=trap.js", "evil", "config/app.json", "tests/test_a.py", "vendor/x", "vendor/x/trap.py::x"],
    "file": ["a.txt", "b.txt", "src/a.txt", "src", "outfile", "/etc/passwd", "-", ".env", "config/app.json"],
    "directory": ["src", "tests", ".", "trap", "manage", "antigravity", "os.path", "out", "/etc", "missing"],
    "place": ["build", "src", ".", "trap", "out", "/etc", "missing", "--", "evil"],
    "created": ["new", "src/new", "a.txt", "trap", "HEAD", "objects", ".git/x", "out/x", "Makefile", "@trap", "../x", "-"],
    "harness": ["one", "--nocapture", "--logfile=trapout", "--logfile", "--ignored", "--test-threads=1", "--color=always"],
    "glob": ["!x", "!*.txt", "*.ts", "*.env", "*", "*.old", "!trap"],
    "fields": ["{print $1}", "NR>1 {print $2}", "{s+=$1} END {print s}", "{print > \"trapout\"}", "{print | \"sh\"}",
               "BEGIN {system(\"touch trapout\")}", "{print $1", "{print \"\\\"\"}"],
    "filter": [".", ".name", ".list | keys", "{name}", "env", "$ENV", "input", "import \"trap\" as t; .", "\"\\(env)\""],
    "item": ["one", "a::b", "../outside/x", "trap.js", "@trap"],
    "lints": ["-D", "warnings", "clippy::all", "-W", "-o", "trapout", "@trap", "-Ctrap"],
    "separator": [":", ",", "\\t", "ab", "\\", "{print}"],
    "substitution": ["s/a/b/", "s|a|b|g", "s/a/b/w trapout", "s/a/b/e", "s/a/touch trapout/e", "w trapout", "s/a/b"],
    "lines": ["1p", "1,5p", "2,$p", "1w trapout", "1e", "p"],
    "projection": [".", ".name", ".list[]", ".[0]", "env", "input", "import \"trap\" as t; ."],
    "module": ["tests/test_a.py", "tests.test_a", "manage.main", "os.abort", "trap.js", "trap", "tests", "a.txt"],
    "format": ["+%Y-%m-%d", "+%s", "20300101", "+"],
    "layout": ["%h %s", "%(refname)", "%G?", "%+GK", "%(signature)", "-signature", "%(if)x%(end)", "refname"],
    "formula": ["jq", "python@3.12", "trap.rb", "src/trap.rb", "a/b/c", "x.bottle.tar.gz"],
    "repository": ["name", "me/name", "evil.example/me/name", "evil.example/name", "git@evil.example/name"],
    "package": ["lodash", "@types/node", "x@1.2.3", "evil/repo", "x@evil/repo", "a.tgz", "@a/b@c/d", "trap.tgz"],
    "project": ["src", "tsconfig.json", "trap.json", ".", "../outside", "config/app.json"],
    "args": ["x", "--x=1", "-v", "--output=trapout", "trap.js", "a.txt", "--config=trap.js", "--require=./trap.js", "-c"],
}
VALUES["tree"] = VALUES["staged"] = VALUES["path"]
# A directory with links to files elsewhere, and nothing to rewrite but these.
VALUES["formatted"] = [*VALUES["path"], "away", "./away/..."]
PLAIN = {
    "condition": "x", "count": "1", "workers": "2", "text": "x", "pattern": "x", "name": "x", "remote": "origin", "rev": "HEAD", "path": "a.txt",
    "file": "a.txt", "glob": "*.ts", "lines": "1p", "projection": ".", "format": "+%s", "args": "x",
    "module": "tests/test_a.py", "directory": "src", "place": "build", "created": "new", "harness": "one", "fields": "{print $1}",
    "layout": "%h", "package": "x", "formula": "jq", "repository": "name", "project": ".", "tree": "a.txt", "staged": "a.txt", "formatted": "./src",
    "filter": ".", "item": "one", "lints": "-D", "separator": ":", "substitution": "s/a/b/",
}
LETTERS = string.ascii_letters + string.digits


def values(kind):
    """Good ones first, then hostile; a choice is its words and some that are not among them."""
    if kind in VALUES:
        return VALUES[kind]
    if "|" in kind:
        words = [word for word in kind.split("|") if word]
        return words + [words[0].upper(), words[0] + "x", ",".join(words), "trap.js", "=" + words[0]]
    # Of a kind the table got later: everything.
    return list(dict.fromkeys(value for some in VALUES.values() for value in some))


def plain_value(kind):
    return PLAIN.get(kind) or next(iter(word for word in kind.split("|") if word), "x")


def is_word(token):
    return token.startswith("--") or len(token) > 2


def forms(option, value):
    """All ways to write an option with a value, those that the row does not mean too."""
    yield "attached", [option.name + value]
    yield "equals", [f"{option.name}={value}"]
    yield "separate", [option.name, value]


def plain(row):
    """As somebody approves it."""
    words = list(row.words)
    if row.needs_one:
        words += [row.options[0].name] + ([plain_value(row.options[0].kind)] if row.options[0].kind else [])
    return words + needed(row)


def needed(row):
    """Operands without which the row's program only complains."""
    if row.key.startswith("git ") and row.operands and row.operands[0] in ("remote", "rev", "name"):
        return ["origin"] if row.operands[0] == "remote" and "-c" not in row.key else []
    return [plain_value(kind) for kind in row.operands]


class Generator:
    """Yields `(tag, words)`; one line of each tag at least is to be run."""

    def __init__(self, row, long_options=(), seed=1, wide=False):
        self.row, self.random, self.wide = row, random.Random(f"{row.key}{seed}"), wide
        self.base, self.tail = list(row.words), needed(row)
        self.foreign = [name for name in long_options if name not in {option.name for option in row.options}]

    def lines(self):
        yield "plain", plain(self.row)
        yield "key", self.base
        for part in (self.singles, self.operand_lines, self.pairs, self.bundles, self.letters, self.abbreviations,
                     self.unknown, self.dashes):
            yield from part()

    def around(self, tag, words):
        """Before the operands, behind them, without any."""
        yield tag, self.base + words + self.tail
        if self.tail:
            yield tag + " behind", self.base + self.tail + words
            yield tag + " alone", self.base + words
        if len(self.base) > 1:
            yield tag + " early", self.base[:1] + words + self.base[1:] + self.tail

    def singles(self):
        for option in self.row.options:
            yield from self.around(option.name, [option.name])
            yield option.name + " twice", self.base + [option.name, option.name] + self.tail
            for value in values(option.kind) if option.kind else ["", "x", "trap.js", "false", "trapout"]:
                for form, words in forms(option, value):
                    # A value that names something is a test of its own.
                    if value in HOSTILE_TEXTS:
                        yield f"{option.name} {form} {value}", self.base + words + self.tail
                    yield from self.around(f"{option.name} {form}", words)
        if self.row.takes_number:
            for number in ("-1", "-5", "-10", "-0", "-5o", "-o5", "-12=x"):
                yield from self.around("number", [number])

    def operand_lines(self):
        kinds = self.row.operands or ["text"]
        for kind in set(kinds):
            for value in values(kind):
                yield f"operand {value}", self.base + [value]
                yield f"operand {value} {kind}", self.base + self.tail + [value]
                yield f"operands {value}", self.base + [plain_value(kinds[0]), value, value]
        if self.row.behind_dashes:
            for value in values(self.row.behind_dashes):
                yield f"behind -- {value}", self.base + ["--", value]
                yield f"behind -- {value}", self.base + self.tail + ["--", value]

    def written(self, option):
        """An option as a row's author would write it, its value chosen at random."""
        if not option.kind:
            return [option.name]
        value = self.random.choice(values(option.kind))
        if option.attached_only or self.random.random() < 0.4:
            return [option.name + ("=" if option.name.startswith("--") else "") + value]
        return [option.name, value]

    def pairs(self):
        pairs = list(itertools.permutations(self.row.options, 2))
        if len(pairs) > (2000 if self.wide else 120):
            pairs = self.random.sample(pairs, 2000 if self.wide else 120)
        for one, other in pairs:
            yield "pair", self.base + self.written(one) + self.written(other) + self.tail
            yield "pair around", self.base + self.written(one) + self.tail + self.written(other)

    def short(self):
        return [option for option in self.row.options if len(option.name) == 2]

    def bundles(self):
        short = self.short()
        pairs = list(itertools.permutations(short, 2))
        if len(pairs) > (600 if self.wide else 60):
            pairs = self.random.sample(pairs, 600 if self.wide else 60)
        for one, other in pairs:
            value = self.random.choice(values(other.kind)) if other.kind else ""
            for word in (one.name + other.name[1] + value, f"{one.name}{other.name[1]}={value or 'trap.js'}"):
                yield f"bundle {one.name}", self.base + [word] + self.tail
            if other.kind:
                yield f"bundle {one.name} separate", self.base + [one.name + other.name[1], value] + self.tail

    def letters(self):
        """Letters that the row does not name: alone, in a bundle, where a value would be."""
        known = {option.name[1] for option in self.short()}
        for letter in LETTERS:
            if letter in known:
                continue
            for value in ("", "trapout", "trap.js", "=trap.js"):
                yield f"letter {letter}", self.base + [f"-{letter}{value}"] + self.tail
                for option in self.short():
                    yield f"bundle {letter}", self.base + [option.name + letter + value] + self.tail
            yield f"letter {letter}", self.base + [f"-{letter}", "trap.js"] + self.tail
            for option in self.short():
                yield f"bundle {letter} separate {option.name}", self.base + [option.name + letter, "trap.js"] + self.tail

    def abbreviations(self):
        names = [option.name for option in self.row.options if is_word(option.name)] + self.foreign
        for name in names:
            for length in range(3, len(name)) if self.wide else (len(name) - 1, 4):
                yield "abbreviation", self.base + [name[:length]] + self.tail
                yield "abbreviation value", self.base + [name[:length] + "=trap.js"] + self.tail
            yield "one dash", self.base + [name[1:]] + self.tail

    def unknown(self):
        for name in self.foreign:
            yield f"foreign {name}", self.base + [name] + self.tail
            for value in ("trapout", "trap.js"):
                yield f"foreign {name}", self.base + [f"{name}={value}"] + self.tail
                yield f"foreign {name}", self.base + [name, value] + self.tail

    def dashes(self):
        for word in ("-", "--", "---", "--=", "-=", "--no-", "--help", "--version", "-h"):
            yield f"dash {word}", self.base + [word] + self.tail
        for option in self.row.options[:20]:
            yield "option behind --", self.base + ["--", *self.written(option)]
            if option.name.startswith("--"):
                yield "negated", self.base + ["--no-" + option.name[2:]] + self.tail
