#!/usr/bin/env python3
"""Runs the end-to-end tests: Tests/EndToEnd/run.py [pytest arguments]
Or another program in such a network: Tests/EndToEnd/run.py --command PROGRAM [ARGUMENT...]

It starts pytest with a bare environment and, where the kernel allows it, in a network namespace that holds nothing but
loopback, so that no test can reach a network whatever a program under test tries. CDEV_E2E_NETWORK=host does without.
"""
import fcntl
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
KEPT = ("CDEV_LONG_TESTS", "HOME", "LANG", "PATH", "PYTHONDONTWRITEBYTECODE", "TERM", "USER")


def bare_environment():
    """What the tests may know of the caller: no CLAUDE* variable in particular, for the daemon refuses such peers."""
    kept = {key: os.environ[key] for key in KEPT if key in os.environ}
    return {**kept, **{key: value for key, value in os.environ.items() if key.startswith(("CDEV_E2E_", "CDEV_BIN_"))}}


def namespace():
    """The words that start a program without a network, or none where that is not possible."""
    if os.environ.get("CDEV_E2E_NETWORK") == "host" or not shutil.which("unshare"):
        return []
    words = ["unshare", "--net", *(["--map-root-user"] if os.getuid() else []), "--"]
    allowed = subprocess.run([*words, "true"], capture_output=True).returncode == 0
    return words if allowed else []


def loopback_up():
    SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(control, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))


def main():
    arguments = sys.argv[1:]
    is_inside = arguments[:1] == ["--inside"]
    arguments = arguments[is_inside:]
    is_command = arguments[:1] == ["--command"]
    # Another program keeps the environment: what it may know of the caller is its own affair.
    environment = dict(os.environ) if is_command else bare_environment()
    if is_inside:
        loopback_up()
    else:
        words = namespace()
        if words:
            again = [*words, sys.executable, str(HERE / "run.py"), "--inside", *arguments]
            os.execvpe(again[0], again, environment)
        print("running with the machine's own network: no network namespace to be had", file=sys.stderr)
    if is_command:
        os.execvpe(arguments[1], arguments[1:], {**environment, "CDEV_TEST_NETWORK": "own" if is_inside else "host"})
    os.chdir(HERE)
    words = [sys.executable, "-m", "pytest", "-o", f"cache_dir={HERE.parent.parent}/.build/pytest", *arguments]
    os.execve(words[0], words, bare_environment())


if __name__ == "__main__":
    main()
