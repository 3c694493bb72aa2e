"""The programs of the table as this machine has them."""
import os
import re
import shutil
import subprocess
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / ".build/programs"
PATH = f"{TOOLS}/bin:{TOOLS}/venv/bin:/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
# With --long only: large to install or slow to start.
LARGE = set(
    "actionlint basedpyright biome bun bundle cargo cmake composer ctest deno docker dotnet eslint gem gh go gofmt"
    " golangci-lint elixir erl ghc gradle hadolint helm java javac jest kotlinc kubectl mix mvn node npm npx oxlint php"
    " phpunit pip pip3 pnpm poetry prettier pyright rake rspec rubocop ruby rustc rustfmt rustup scala swift swiftc"
    " swift-format systemctl tsc yarn zig".split()
)
# Only the shell has them.
BUILTINS = {"type", "command"}


def find(name):
    """The words that start it, the first an absolute path; `None` where it is not installed."""
    if name in BUILTINS:
        return ["/bin/bash", "--norc", "-c", f'{name} "$@"', "bash"]
    path = shutil.which(name, path=PATH)
    return [path] if path else None


def reader(tested):
    """The program itself, where another one starts it."""
    return {"docker compose": "docker-compose"}.get(tested, tested.removeprefix("npx "))


def are_here(row):
    return row.program == "./" or bool(find(row.program) and find(reader(row.tested)))


def places():
    """Directories of the programs that are not the system's."""
    python = Path(os.path.realpath(TOOLS / "venv/bin/python"))
    return [TOOLS, python.parents[1]] if len(python.parts) > 4 else [TOOLS]


def environment(scratch):
    # No compiled files of Python's own beside its modules: those are of no interest here.
    return {
        "PATH": PATH, "HOME": str(scratch.home), "TMPDIR": str(scratch.tmp), "LANG": "C.UTF-8", "TERM": "dumb",
        "PYTHONDONTWRITEBYTECODE": "1", "CI": "1",
        # So that they come further than to ask who somebody is, and do not wait for a network that is not there.
        "GH_TOKEN": "x", "GH_REPO": "x/y", "npm_config_fetch_retries": "0", "PIP_RETRIES": "0",
    }


def text_of(words, scratch, may_fail=True):
    """What it prints, on either stream; nothing where it fails and may not."""
    try:
        done = subprocess.run(
            words, cwd=scratch.root, env=environment(scratch), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=20, start_new_session=True)
        return done.stdout.decode(errors="replace") if may_fail or done.returncode == 0 else ""
    except (subprocess.TimeoutExpired, OSError):
        return ""


# Of an interpreter that did not come as far as the program: its options were never read.
BROKEN = ("Cannot find module", "Traceback (most recent", "node:internal/", "error while loading shared libraries")


def broken(name, scratch):
    """What it says instead of its version."""
    program = find(reader(name))
    text = text_of([*program, "--version"], scratch) if program and name not in BUILTINS | {"./"} else ""
    return next((line for line in text.splitlines() if any(sign in line for sign in BROKEN)), "")


def version(name, scratch):
    """The first line with a digit that it says of itself; its package where it says none."""
    program = find(reader(name))
    if name in BUILTINS:
        return "bash"
    for word in ("--version", "-version", "version", "-V"):
        for line in text_of([*program, word], scratch, may_fail=False).splitlines():
            if re.search(r"\d\.\d", line) and "rror" not in line and len(line) < 120:
                return re.sub(r"\x1b\[[\d;]*m| from /\S+", "", line.replace(str(scratch.base), "")).strip()
    real = os.path.realpath(program[0])
    for candidate in (real, real.removeprefix("/usr")):
        owner = subprocess.run(["dpkg", "-S", candidate], capture_output=True, text=True).stdout.split(":")[0]
        if owner:
            return subprocess.run(
                ["dpkg-query", "-W", "-f=${Package} ${Version}", owner], capture_output=True, text=True).stdout
    return "unknown"


def long_options(row, scratch, limit):
    """Those that its help names."""
    program = find(row.program)
    if not program or row.program in BUILTINS | {"./"}:
        return []
    own = [word for word in row.words[1:] if not word.startswith("-")]
    found = set()
    for words in ([*own, "--help"], [*own, "-h"]):
        found |= set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text_of([*program, *words], scratch)))
    return sorted(found)[:limit]
