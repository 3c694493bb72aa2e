"""Tables fit the terminal, whatever is in them; where there is none, nothing is cut."""
import re

import pytest

from harness import http1
from harness.pane import Pane
from harness.waiting import until

NAME = "the telephone in the kitchen, beside the bread and the salt"
PLACE = "/home/somebody/projects/a-shop-for-old-books/services/catalogue/worker"


@pytest.fixture
def full(cdev):
    """A daemon of which every table has a row with long cells."""
    cdev.start(no_approver="hold")
    session = cdev.session(cwd=PLACE)
    session.start()
    cdev.ok("gate", session.id, "tool-call")
    offered = cdev.local.call("pair/start", {"rights": "approve"})["token"]
    device = {"pairing_token": offered, "name": NAME, "platform": "test"}
    token = http1.ask(cdev.tcp, "POST", "/api/auth/exchange", device).json["access_token"]
    cdev.token("robot " + NAME[:40])
    phone = cdev.approver("phone", token=token)
    held = session.bash("make a-target-with-a-long-name-for-a-rule")
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "allow", scope="session")
    held.answer()
    session.call("mcp__catalogue_of_books__look_up_by_number", {"number": 1}, permission_mode="acceptEdits")
    until(lambda: cdev.local.call("permission/pending")["requests"], "a card")
    yield cdev
    phone.close()


def drawn(cdev, words, columns):
    """What the command writes in a terminal, without its colours."""
    name = f"table{columns}"
    pane = Pane(cdev.box, [cdev.programs / "cdev", *words], cdev.box.env(TERM="xterm-256color"), columns, 50, name)
    until(lambda: not pane.alive(), f"{words} to end")
    return re.sub(r"\x1b\[[0-9;]*m", "", pane.raw().decode()).replace("\r", "")


@pytest.mark.parametrize("words", [("sessions",), ("devices",), ("rules",), ("token", "list"), ("config", "get")])
def test_a_table_fits_eighty_columns(full, words):
    for columns in (80, 60):
        lines = drawn(full, words, columns).splitlines()
        assert len(lines) > 1 and max(map(len, lines)) <= columns, "\n".join(lines)


@pytest.mark.parametrize(("words", "whole"), [
    (("sessions",), ["mcp__catalogue_of_books__look_up_by_number", "worker", "tool-call (own)", "acceptEdits"]),
    (("devices",), [NAME, "127.0.0.1"]), (("rules",), ["make a-target-with-a-long-name-for-a-rule"]),
    (("token", "list"), [NAME[:40]]),
])
def test_nothing_is_cut_where_there_is_no_terminal(full, words, whole):
    text = full.ok(*words)
    assert len(text.splitlines()[0].split("  ")) > 2, "one line for the header"
    for cell in whole[:1]:
        assert cell in text, text
