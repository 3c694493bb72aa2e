#!/usr/bin/env python3
"""Compares counts that do not wobble with those in baseline.json: the system calls, instructions and allocations of one
hook, and what the matcher and the parsers cost a call. Exits with 1 where one has changed, and says which and by how much.

    check.py [--bin DIR] [--debug-bin DIR]      compare
    check.py --update "why it changed" [...]    write what is counted now, each change with the reason beside it
    check.py --comparable                       only say whether this machine's counts can be compared (status 0 or 3)

Needs strace and valgrind (Debian: strace, valgrind), a release build (cdev, cdev-hook, cdev-counts), and of cdev-hook a
debug build too. Counts of another compiler, C library or kind of processor are not comparable: then nothing is compared,
and that is said. It uses a home of its own and nothing of yours.
"""
import argparse
import contextlib
import json
import os
import pathlib
import platform
import re
import select
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BASELINE = HERE / "baseline.json"
# Instructions may differ by this share: what the kernel hands a process (random bytes, where its stack begins) is not the
# same twice. Everything else is compared exactly.
TOLERANCE = 0.01
# The C library has its own memcpy for each processor, and limits that follow the size of its caches. Here every
# processor is a plain one.
PLAIN_PROCESSOR = ":".join([
    "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512BW,-AVX512F,-AVX512VL,-BMI1,-BMI2,-ERMS,-FSRM,-LZCNT,-MOVBE,-POPCNT,-RTM,"
    "-SSE4_1,-SSE4_2,-SSSE3",
    "glibc.cpu.x86_data_cache_size=32768", "glibc.cpu.x86_shared_cache_size=1048576",
    "glibc.cpu.x86_non_temporal_threshold=786432",
])


class Failure(Exception):
    pass


def environment(home):
    """All there is: nothing of the caller's."""
    return {
        "CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_CONFIG_DIR": f"{home}/claude",
        "CLAUDE_PROJECT_DIR": "/tmp", "GLIBC_TUNABLES": PLAIN_PROCESSOR, "HOME": f"{home}/home", "LANG": "C.UTF-8",
        "PATH": "/usr/local/bin:/usr/bin:/bin", "SHELL": "/bin/bash", "SWIFT_DETERMINISTIC_HASHING": "1",
        "TMPDIR": f"{home}/tmp",
    }


def hook_input():
    """1 KB, in a mode in which the daemon has no opinion and answers at once."""
    value = {
        "session_id": "performance", "transcript_path": "/tmp/none.jsonl", "cwd": "/tmp",
        "permission_mode": "bypassPermissions", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "npm test", "description": ""}, "tool_use_id": "toolu_1",
    }
    value["tool_input"]["description"] = "d" * (1024 - len(json.dumps(value)))
    return json.dumps(value).encode()


@contextlib.contextmanager
def daemon(cdev, home):
    """A running daemon; gives its socket."""
    process = subprocess.Popen(
        [cdev, "serve", "--home", home / "cdev-home", "--port", "0"], env=environment(home), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        ready, _, _ = select.select([process.stdout], [], [], 60)
        if not ready or b" ready: " not in process.stdout.readline():
            raise Failure(f"{cdev} serve did not open its doors within a minute")
        yield home / "cdev-home/cdev.sock"
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run(command, home, stdin=b""):
    """What a command says on stderr. Without random addresses, which decide how often memory is asked for."""
    command = ["setarch", platform.machine(), "-R", *map(str, command)]
    done = subprocess.run(command, env=environment(home), input=stdin, capture_output=True, timeout=300)
    errors = done.stderr.decode(errors="replace")
    if done.returncode != 0:
        raise Failure(f"`{' '.join(command)}` ended with {done.returncode}:\n{errors[-2000:]}")
    return errors


def found_in(text, pattern, tool):
    found = re.search(pattern, text)
    if not found:
        raise Failure(f"{tool} said nothing that can be understood:\n{text[-2000:]}")
    return int(found.group(1).replace(",", ""))


def system_calls(command, home):
    out = home / "strace.txt"
    run(["strace", "-c", "-o", out, *command], home, hook_input())
    rows = [line.split() for line in out.read_text().splitlines()[2:]]
    return {row[-1]: int(row[3]) for row in rows if len(row) >= 5 and row[0][0].isdigit() and row[-1] != "total"}


def instructions(command, home, stdin=b""):
    text = run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={home}/callgrind.out", *command], home, stdin)
    return found_in(text, r"Collected : (\d+)", "callgrind")


def allocations(command, home, stdin=b""):
    text = run(["valgrind", "--tool=dhat", f"--dhat-out-file={home}/dhat.out", *command], home, stdin)
    return found_in(text, r"Total:\s+[\d,]+ bytes in ([\d,]+) blocks", "dhat")


def per_call(count, counts, part, home):
    """What one more call costs: the start of the process does not count."""
    few, many = (count([counts, part, times], home) for times in (200, 1200))
    return round((many - few) / 1000)


def copy(program, home, name):
    """At a path of the same length for everyone, and without debug sections, which valgrind cannot read."""
    if not os.access(program, os.X_OK):
        raise Failure(f"{program} is missing; install/test.sh --only speed makes it")
    target = home / name
    subprocess.run(["strip", "-g", "-o", target, program], check=True)
    return target


def measure(release, debug, home):
    for name in ("claude", "home", "tmp"):
        (home / name).mkdir()
    relay = copy(release / "cdev-hook", home, "cdev-hook")
    # The release build is static: there are no calls into a C library for a tool to see.
    shared_relay = copy(debug / "cdev-hook", home, "cdev-hook-debug")
    counts = copy(release / "cdev-counts", home, "cdev-counts")
    found = {}
    with daemon(copy(release / "cdev", home, "cdev"), home) as socket:
        options = ["--on-failure", "continue", "--socket", socket]
        for name, count in system_calls([relay, *options], home).items():
            found[f"hook: system call {name}"] = count
        found["hook: instructions"] = instructions([relay, *options], home, hook_input())
        found["hook: allocations, debug build"] = allocations([shared_relay, *options], home, hook_input())
    for part in ("match", "parse"):
        found[f"{part}: instructions"] = per_call(instructions, counts, part, home)
        found[f"{part}: allocations"] = per_call(allocations, counts, part, home)
    return dict(sorted(found.items()))


def toolchain():
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    version = re.search(r"Swift version (\S+)", swift)
    library = os.confstr("CS_GNU_LIBC_VERSION") if platform.system() == "Linux" else platform.system()
    return f"Swift {version.group(1) if version else 'unknown'}, {library}, {platform.machine()}"


def read_baseline():
    if not BASELINE.exists():
        return {"toolchain": None, "counts": {}}
    return json.loads(BASELINE.read_text())


def has_changed(name, before, now):
    if name.endswith(": instructions"):
        return abs(now - before) > before * TOLERANCE
    return now != before


def changes(baseline, found):
    """(name, before, now) of each count that is not what it was."""
    counts = {name: entry["count"] for name, entry in baseline["counts"].items()}
    for name in sorted(set(counts) | set(found)):
        before, now = counts.get(name, 0), found.get(name, 0)
        if has_changed(name, before, now):
            yield name, before, now


def line(name, before, now):
    share = f"{(now - before) / before:+.1%}" if before else "new"
    return f"{name} {'rose' if now > before else 'fell'}: {before} → {now} ({share})"


def update(baseline, found, reason):
    counts = baseline["counts"]
    comparable = baseline["toolchain"] == toolchain()
    for name, before, now in changes(baseline, found):
        print(line(name, before, now))
        entry = counts.setdefault(name, {"count": 0})
        # With another compiler everything moves, and for no reason of ours.
        if comparable:
            entry.setdefault("why", []).append(f"{before} → {now}: {reason}")
        entry["count"] = now
    baseline["counts"] = {name: entry for name, entry in sorted(counts.items()) if entry["count"] > 0}
    baseline["toolchain"] = toolchain()
    BASELINE.write_text(json.dumps(baseline, indent=2, ensure_ascii=False) + "\n")
    print(f"{BASELINE.relative_to(ROOT)} is written; commit it together with what changed the counts")


def compare(baseline, found):
    told = [line(*change) for change in changes(baseline, found)]
    if not told:
        print(f"{len(found)} counts are as in the baseline")
        return 0
    print("\n".join(told))
    print(
        "A hook runs with every tool call: where a count rose, find out what it bought. Where that is meant, or it fell:\n"
        '    Tests/Performance/check.py --update "why"\n'
        "and commit Tests/Performance/baseline.json together with what changed the counts.")
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--debug-bin", type=pathlib.Path, default=ROOT / ".build/debug")
    parser.add_argument("--comparable", action="store_true")
    parser.add_argument("--update", metavar="REASON")
    options = parser.parse_args()
    baseline = read_baseline()
    if not options.update and baseline["toolchain"] != toolchain():
        print(f"not compared: the baseline is of {baseline['toolchain']}, this is {toolchain()}")
        return 3 if options.comparable else 0
    if options.comparable:
        return 0
    for tool in ("setarch", "strace", "strip", "valgrind"):
        if shutil.which(tool) is None:
            raise Failure(f"{tool} is not installed (Debian: util-linux, strace, binutils, valgrind)")
    with tempfile.TemporaryDirectory(prefix="cdev-perf-", dir="/tmp") as home:
        found = measure(options.bin.resolve(), options.debug_bin.resolve(), pathlib.Path(home))
    if options.update:
        update(baseline, found, options.update)
        return 0
    return compare(baseline, found)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"check.py: {failure}")
