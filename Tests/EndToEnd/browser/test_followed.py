"""The real client and the real daemon: a session is followed live on the page, and its calls are answered inside its transcript."""
import re
import subprocess

import pytest
from playwright.sync_api import expect

from harness.checks import delivered
from harness.fake_model import bash, say, touch, use
from test_access import axe

pytestmark = pytest.mark.real_cli


def repository(box):
    """An empty one in the project, with a name for its commits."""
    for words in (["init", "-q"], ["config", "user.name", "Ana"], ["config", "user.email", "ana@example.com"]):
        subprocess.run(["git", *words], cwd=box.project, env=box.env(), check=True)


def test_a_session_is_followed_from_its_prompt_to_its_commit(box, bare, screens, model, claude):
    phone = screens(reduced_motion="reduce").paired()
    phone.needs("workspace/session/watch")
    bare.ok("install")
    repository(box)
    commands = ["touch notes", "git add notes && git commit -qm first"]
    run = claude(model(use(touch("notes")), use(bash(commands[1])), say("It is **committed**.")), prompt="commit the notes")
    page = phone.page
    phone.tab("Sessions")
    page.locator("a.head").click()
    expect(page.locator(".message.user")).to_contain_text("commit the notes")
    for command in commands:
        card = page.locator(".transcript .card:not(.ended)").filter(has_text=command)
        expect(card).to_have_count(1)
        call = page.locator(".call").filter(has_text=command.split("\n")[0]).last
        expect(call.locator(".outcome")).to_have_text("waits for you")
        phone.press(card, "Allow once")
        expect(call.locator(".outcome")).to_have_text(re.compile("done"))
    expect(page.locator(".prose strong")).to_have_text("committed")
    expect(page.locator(".prose").last).to_be_in_viewport()
    delivered(run, "It is **committed**.")
    assert "first" in subprocess.run(["git", "log", "--oneline"], cwd=box.project, env=box.env(), capture_output=True, text=True).stdout
    assert page.locator(".message").count() == len({node for node in page.locator(".message").evaluate_all("nodes => nodes.map((node) => node.dataset.uuid)")})
    assert axe(page) == []
    phone.picture("followed")


def test_what_a_session_made_is_committed_from_the_page(box, bare, screens, model, claude):
    """From the prompt to the commit, with nothing but the page of a phone that may drive."""
    phone = screens(reduced_motion="reduce").paired(bare.local.call("token/create", {"name": "phone", "rights": "drive"})["token"])
    phone.needs("workspace/git/commit")
    bare.ok("install")
    repository(box)
    run = claude(model(use(touch("notes.txt")), say("The notes are there.")), prompt="make a file for notes")
    page = phone.page
    phone.tab("Sessions")
    page.locator("a.head").click()
    card = page.locator(".transcript .card:not(.ended)").filter(has_text="touch notes.txt")
    expect(card).to_have_count(1)
    page.get_by_role("navigation", name="Of this project").get_by_role("link", name="Changes").click()
    expect(page.get_by_role("heading", name="Nothing changed")).to_be_visible()
    page.get_by_role("link", name="Transcript").click()
    phone.press(card, "Allow once")
    expect(page.get_by_text("The notes are there.")).to_have_count(1)
    delivered(run, "The notes are there.")
    page.get_by_role("link", name="Changes").click()
    expect(page.locator(".areas h2")).to_have_text(["New 1"])
    page.get_by_role("button", name="Stage notes.txt").click()
    expect(page.locator(".areas h2")).to_have_text(["Staged 1"])
    page.get_by_label("Commit message").fill("Make a file for notes")
    page.get_by_role("button", name="Commit 1 file").click()
    expect(page.get_by_role("heading", name="Nothing changed")).to_be_visible()
    shown = subprocess.run(["git", "show", "--format=%s by %an", "--name-only"], cwd=box.project, env=box.env(), capture_output=True, text=True)
    assert shown.stdout.split("\n\n") == ["Make a file for notes by Ana", "notes.txt\n"]
    head = subprocess.run(["git", "rev-parse", "--short=7", "HEAD"], cwd=box.project, env=box.env(), capture_output=True, text=True).stdout.strip()
    expect(page.locator(".note-box")).to_contain_text(head)
    assert axe(page) == []
    phone.picture("committed")


def test_what_was_said_while_the_phone_was_away_is_there_when_it_is_back(box, bare, phone_behind, proxy, model, claude):
    phone = phone_behind
    phone.needs("workspace/session/watch")
    bare.ok("install")
    run = claude(model(use(touch("a")), say("While you were away.")), prompt="go on without me")
    page = phone.page
    phone.tab("Sessions")
    page.locator("a.head").click()
    card = page.locator(".transcript .card:not(.ended)")
    expect(card).to_have_count(1)
    proxy.cut()
    phone.is_phase("offline")
    request = bare.local.call("permission/pending")["requests"][0]["request_id"]
    bare.local.call("permission/respond", {"request_id": request, "decision": "allow"})
    delivered(run, "While you were away.")
    proxy.mend()
    phone.tries_now()
    expect(page.get_by_text("While you were away.")).to_have_count(1)
    expect(page.locator(".call .outcome")).to_have_text(re.compile("done"))
    expect(page.locator(".transcript .card:not(.ended)")).to_have_count(0)
