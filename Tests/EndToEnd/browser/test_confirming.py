"""The word that a person types before something is allowed."""
import pytest
from playwright.sync_api import expect


def test_a_word_that_must_be_typed(bare, screens):
    bare.stop()
    bare.start(confirm=["Bash(touch)"])
    phone = screens().paired()
    phone.needs("permission/respond", "confirm")
    session = bare.session()
    session.start()
    held = session.bash("touch a")
    card = phone.card("touch a")
    allow = card.get_by_role("button", name="Allow once")
    expect(allow).to_be_disabled()
    expect(card.get_by_role("button", name="Allow for session")).to_have_count(0)
    card.locator(".confirm input").fill("tuch")
    phone.press(card, "Allow once")
    expect(card.locator(".state.refused")).to_be_visible()
    assert not held.answered()
    card.locator(".confirm input").fill("touch")
    phone.press(card, "Allow once")
    assert held.decision() == "allow"


@pytest.fixture
def wary(bare, screens):
    """A phone and a session of a daemon that wants a word with some commands."""
    bare.stop()
    bare.start(confirm=["Bash(touch)", "Bash(mkdir)"])
    session = bare.session()
    session.start()
    return screens().paired(), session


def test_a_command_that_wants_a_word_is_edited(wary):
    phone, session = wary
    held = session.bash("touch a")
    card = phone.card("touch a")
    phone.edit(card, "echo b")
    card.get_by_label("to allow this").fill("touch")
    phone.press(card, "Allow changed, once")
    assert held.answer()["hookSpecificOutput"]["updatedInput"]["command"] == "echo b"


@pytest.mark.parametrize("first", ["npm test", "touch a"])
def test_an_edit_that_brings_in_a_word_asks_for_it(wary, first):
    phone, session = wary
    held = session.bash(first)
    card = phone.card(first)
    phone.edit(card, "mkdir b")
    word = card.get_by_label("to allow this")
    if first == "touch a":
        word.fill("touch")
    phone.press(card, "Allow changed, once")
    expect(card.locator(".confirm")).to_contain_text("Type mkdir to allow this")
    expect(card.locator(".state.refused")).to_have_text(
        "“touch” is not the word." if first == "touch a" else "This has to be confirmed: type the word.")
    phone.picture("word")
    assert not held.answered()
    # Another command is another matter.
    card.get_by_label("Runs instead, this once").fill("mkdir c")
    expect(card.locator(".confirm")).to_contain_text("touch") if first == "touch a" else expect(word).not_to_be_visible()
    card.get_by_label("Runs instead, this once").fill("mkdir b")
    word.fill("mkdir")
    phone.press(card, "Allow changed, once")
    assert held.answer()["hookSpecificOutput"]["updatedInput"]["command"] == "mkdir b"
