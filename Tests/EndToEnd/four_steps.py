"""From the package to a paired browser in four steps, timed; `install/test-package.sh` runs it: four_steps.py ROOT PACKAGE

ROOT is a Debian without Swift whose user `person` has just been made. The browser runs outside of it, in the same
network, and knows the daemon's authority as little as a phone would.
"""
import contextlib
import json
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

from harness import tls

CHROMIUM = os.environ.get("CDEV_E2E_CHROMIUM", "/usr/bin/chromium")
PATIENCE = 60


def person(root, *words):
    """The words of a command of ROOT's user, in that root."""
    return ["chroot", "--userspec=1000:1000", root, "env", "-i", "HOME=/home/person", "PATH=/usr/bin:/bin", "LANG=C.UTF-8",
            "TERM=xterm-256color", *words]


class Screen:
    """A command in a terminal of its own."""

    def __init__(self, words):
        self.text = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execvp(words[0], words)

    def shows(self, pattern):
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text)):
            if time.monotonic() > end or not self._read(end - time.monotonic()):
                raise SystemExit(f"no {pattern} in what the command said:\n{self.text}")
        return found

    def _read(self, seconds):
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        try:
            got = os.read(self.terminal, 65536)
        except OSError:
            return False
        self.text += got.decode(errors="replace").replace("\r\n", "\n")
        return bool(got)


def main(root, package):
    begun = last = time.monotonic()

    def step(name):
        nonlocal last
        now = time.monotonic()
        print(f"    {name}: {now - last:.1f} s", flush=True)
        last = now

    subprocess.run(["dpkg", f"--root={root}", "-i", package], check=True, stdout=subprocess.DEVNULL)
    step("install")
    terminal = Screen(person(root, "cdev", "expose", "lan"))
    terminal.shows("Waiting…")
    step("expose")
    if "▀" not in terminal.text:
        raise SystemExit(f"no code was drawn:\n{terminal.text}")
    link = terminal.shows(r"(https://\S+/#pair=\S+)").group(1)
    # Ready before, as a phone's browser is; what it takes to start one is not of the four steps.
    with contextlib.ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory())
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"] if os.getuid() == 0 else [],
                                             env={"HOME": home, "PATH": os.environ["PATH"]})
        stack.callback(browser.close)
        page = browser.new_context(viewport={"width": 390, "height": 844}, ignore_https_errors=True).new_page()
        started = time.monotonic() - last
        last = time.monotonic()
        page.goto(link)
        step("scan")
        page.wait_for_function("() => document.body.dataset.phase === 'online'", timeout=PATIENCE * 1000)
        terminal.shows("has come in")
        step("tap")
        total = time.monotonic() - begun - started
        settings = json.loads((pathlib.Path(root) / "home/person/.claude/settings.json").read_text())
        if "PreToolUse" not in settings.get("hooks", {}):
            raise SystemExit("the device is paired, but the hooks are not installed")
    print(f"from the package to a paired browser: 4 steps, {total:.1f} s")
    if total > 60:
        raise SystemExit("that is more than a minute")


if __name__ == "__main__":
    with tls.address_beyond_loopback() as address:
        if address is None:
            raise SystemExit("needs a network namespace of its own")
        main(*sys.argv[1:])
