"""Changes of files compared with the file, as the daemon does it."""
import pytest
from playwright.sync_api import expect

import scenes


def test_an_edit_is_a_diff_with_the_files_own_lines(phone, session):
    phone.needs("permission/preview")
    held = scenes.edit(session)
    card = phone.card("retry.py")
    expect(card.locator("del.line")).to_contain_text("for _ in range(3):")
    expect(card.locator("ins.line")).to_contain_text("for attempt in range(5):")
    expect(card.locator(".line .number").first).not_to_be_empty()
    expect(card.locator(".sum")).to_have_text("+1 −1")
    expect(card.locator(".diff")).to_contain_text("return call()")
    phone.picture("diff")
    phone.press(card, "Allow once")
    assert held.decision() == "allow"


def test_a_long_change_is_folded(phone, session):
    scenes.write(session, lines=80)
    card = phone.card("notes.md")
    expect(card.locator(".line")).to_have_count(12)
    allow = card.get_by_role("button", name="Allow once")
    expect(allow).to_be_disabled()
    expect(card).to_contain_text("Show all of it before you allow it.")
    phone.press(card, "Show all 80 lines")
    expect(card.locator(".line")).to_have_count(80)
    phone.read(card)
    expect(allow).to_be_enabled()


def test_where_there_is_no_diff_it_says_why_and_shows_the_text(phone, session):
    phone.needs("permission/preview")
    session.call("Edit", {"file_path": "/etc/hostname", "old_string": "a", "new_string": "b", "replace_all": False})
    card = phone.card("/etc/")
    expect(card.locator(".change .note").or_(card.locator("ins.line")).first).to_be_visible()
    expect(card.locator(".change")).to_contain_text("b")


def long_line(session):
    path = scenes.session_file(session, "long.txt", "first\n")
    return session.call("Edit", {"file_path": path, "old_string": "first", "new_string": "x" * 20_000 + " && the end", "replace_all": False})


def many_lines(session):
    path = scenes.session_file(session, "long.txt", "first\n")
    text = "".join(f"{number} {'x' * 300}\n" for number in range(6000)) + "the end\n"
    return session.call("Write", {"file_path": path, "content": text})


def no_file(session):
    text = "".join(f"{number} {'x' * 300}\n" for number in range(6000)) + "the end\n"
    return session.call("Edit", {"file_path": f"{session.cwd}/long.txt", "old_string": "first", "new_string": text, "replace_all": False})


@pytest.mark.parametrize("ask", [long_line, many_lines, no_file])
def test_a_change_that_is_too_long_to_be_compared_is_shown_whole_from_the_call(phone, session, ask):
    phone.needs("permission/preview")
    held = ask(session)
    expect(phone.cards()).to_have_count(1)
    card = phone.cards().first
    allow = card.get_by_role("button", name="Allow once")
    expect(card.locator(".change .note")).to_be_visible()
    unfold = card.locator(".unfold")
    if ask is not long_line:
        expect(allow).to_be_disabled()
        # One of the call's own, not of the beginning that came with the event.
        expect(unfold).to_contain_text("6,00")
        phone.settled(card)
        unfold.click()
    expect(card.locator("ins.line").last).to_contain_text("the end")
    assert card.locator("ins.line").count() == {long_line: 1, many_lines: 6001, no_file: 6001}[ask]
    phone.read(card)
    expect(allow).to_be_enabled()
    phone.press(card, "Allow once")
    assert held.decision() == "allow"
