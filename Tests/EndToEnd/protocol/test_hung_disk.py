"""A session's root lies on a disk that answers nothing: a person is asked, and nobody else waits."""
import ctypes.util
import os
import pathlib
import subprocess
import sys

import pytest

from harness.waiting import until

PROGRAM = pathlib.Path(__file__).parents[1] / "harness" / "hung_disk.py"
# As many calls of one root may wait for its disk.
MOST = 8


@pytest.fixture
def hung(box, bare):
    """A directory of the project that hangs, and how to let go of it. Let go before the daemon stops, which it would hold."""
    if not ctypes.util.find_library("fuse") or not os.access("/dev/fuse", os.R_OK | os.W_OK):
        pytest.skip("no FUSE file system can be mounted here: needs libfuse2 and /dev/fuse")
    directory = box.project / "hung"
    directory.mkdir()
    process = subprocess.Popen([sys.executable, PROGRAM, directory], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    if process.stdout.readline() != "mounted\n":
        pytest.skip(f"no FUSE file system can be mounted here: {process.communicate()[1]}")
    try:
        yield process.stdin.close
    finally:
        process.stdin.close()
        subprocess.run(["umount", "-l", directory], check=True)
        process.wait()


def test_a_disk_that_hangs_holds_up_nobody_else(bare, phone, hung):
    session, other = bare.session(), bare.session()
    for one in (session, other):
        first = one.bash("touch a.md")
        phone.respond(phone.card(tool_use_id=first.tool_use_id), "allow", scope="session")
        assert first.decision() == "allow"
    waiting = [session.bash("touch hung/x") for _ in range(MOST + 1)]
    for held in waiting:
        card = phone.card(tool_use_id=held.tool_use_id)
        assert "disk did not answer" in card["rules_note"] and card["patterns"] == []
    # Answered while eight threads hang: by the rule, and to a person's yes.
    assert other.bash("touch a.md").decision() == "allow"
    assert session.bash("touch a.md").decision() == "allow"
    phone.respond(phone.card(tool_use_id=waiting[0].tool_use_id), "deny")
    assert waiting[0].decision() == "deny"
    hung()
    # Asked again it answers; the waits of before are over once their threads have heard so.
    until(lambda: settles(session, phone), "the rule to settle what lies there")


def settles(session, phone):
    held = session.bash("touch hung/y")

    def card():
        return next((card for card in phone.pending() if card["tool_use_id"] == held.tool_use_id), None)

    until(lambda: held.answered() or card(), "an answer or a card")
    if held.answered():
        return held.decision() == "allow"
    phone.respond(card(), "deny")
    return False
