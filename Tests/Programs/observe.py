"""Runs a program under strace and says what it did to the machine."""
import os
import re
import signal
import subprocess
from dataclasses import dataclass

CREATES = (
    "creat mkdir mkdirat mknod mknodat link linkat symlink symlinkat rename renameat renameat2 unlink unlinkat rmdir"
    " truncate chmod fchmodat fchmodat2 chown lchown fchownat utimensat utime utimes futimesat setxattr lsetxattr"
    " removexattr lremovexattr"
).split()
MACHINE = "settimeofday clock_settime sethostname setdomainname reboot mount umount2 swapon swapoff kexec_load chroot".split()
# A question mark: not every machine and every strace has them all.
TRACED = ",".join("?" + name for name in
    ["execve", "execveat", "open", "openat", "openat2", "chdir", "fchdir", "fork", "vfork", "clone", "clone3"]
    + ["connect", "bind"] + CREATES + MACHINE
)
LINE = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+|\?)(?:<(.*?)>)?(?: .*)?$")
NAME = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"')
WRITING = ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND")


@dataclass(frozen=True)
class Event:
    """`exec`, `list` (a directory), `read`, `write`, `net` or `machine`."""

    what: str
    """Absolute, links resolved as far as the kernel said; an address for `net`, the call for `machine`."""
    path: str
    """For an open that failed: it was tried, and nothing was there."""
    failed: bool = False


@dataclass
class Seen:
    events: set
    timed_out: bool
    output: str


def run(words, cwd, environment, trace, limit, stdin=None):
    """`words[0]` is the program's own path."""
    # A parser of its own that reads what it is given as text never sees these calls: seccomp filters them first.
    command = ["strace", "-f", "--seccomp-bpf", "-y", "-qq", "-o", str(trace), "-e", f"trace={TRACED}",
               "-e", "signal=none", "--", *words]
    with open(stdin or "/dev/null", "rb") as source:
        process = subprocess.Popen(
            command, cwd=cwd, env=environment, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)
        timed_out = False
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            timed_out = True
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
    with open(trace, errors="replace") as file:
        events = read(file, str(cwd))
    return Seen(events, timed_out, output[:4000].decode(errors="replace"))


def read(lines, cwd):
    events, places, open_calls = set(), {}, {}
    for line in lines:
        line = line.rstrip("\n")
        number, _, rest = line.partition(" ")
        if rest.endswith(" <unfinished ...>"):
            open_calls[number] = rest.lstrip().removesuffix(" <unfinished ...>")
            continue
        if "<... " in rest and " resumed>" in rest:
            rest = open_calls.pop(number, "") + rest.split(" resumed>", 1)[1]
        found = LINE.match(f"{number} {rest.lstrip()}")
        if found:
            note(found, events, places, cwd)
    return events


def note(found, events, places, start):
    number, call, arguments, result, target = found.groups()
    cwd = places.get(number, start)
    failed = result.startswith("-") or result == "?"
    if call in ("fork", "vfork", "clone", "clone3"):
        if not failed:
            places[result] = cwd
    elif call == "fchdir":
        inside = re.match(r"\d+<([^>]*)>", arguments)
        if inside and not failed:
            places[number] = plain(inside[1])
    elif call in ("connect", "bind"):
        events.add(Event("net", arguments.split(", ", 1)[-1]))
    elif call in MACHINE:
        events.add(Event("machine", f"{call}({arguments})"))
    else:
        names = [absolute(plain(directory) or cwd, name) for directory, name in NAME.findall(arguments)]
        if call == "chdir":
            if not failed:
                places[number] = os.path.realpath(names[0])
        elif call.startswith("exec"):
            # A search through PATH tries many names.
            if not failed and names:
                events.add(Event("exec", names[0]))
        elif call.startswith("open"):
            what = "list" if "O_DIRECTORY" in arguments else "read"
            if any(flag in arguments for flag in WRITING):
                what = "write"
            if names:
                events.add(Event(what, plain(target) if target else names[0], failed))
        else:
            names = names[:1] if call.startswith("symlink") is False else names[1:]
            for name in names if not call.startswith(("rename", "link")) else all_names(arguments, cwd):
                events.add(Event("write", name, failed))


def all_names(arguments, cwd):
    return [absolute(plain(directory) or cwd, name) for directory, name in NAME.findall(arguments)]


def plain(text):
    """As strace was told it: what is no letter is an octal number in its lines, in names and beside descriptors."""
    return text.encode().decode("unicode_escape", "replace")


def absolute(directory, name):
    """The directory's links resolved, the last name kept: a call may be about the link itself."""
    path = os.path.join(directory, plain(name))
    parent, last = os.path.split(path.rstrip("/") or "/")
    if last in ("", ".", ".."):
        return os.path.realpath(path)
    return os.path.join(os.path.realpath(parent), last)
