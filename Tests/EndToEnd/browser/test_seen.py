"""Nobody allows a call that was not on the screen, and a card has its warnings beside the call."""
import pytest
from playwright.sync_api import expect

import scenes

SCRIPT = "\n".join(f"echo step {number}" for number in range(40)) + "\nrm -rf build"

# Adds to the cards what a daemon may send with them.
WITH = """(more) => {
  const card = cdev.model.openCards[0];
  cdev.model.completes({ ...card.data, ...more });
  cdev.requests.replace(card.id);
}"""


def in_view(locator):
    """True if it is on the screen, and nothing lies over it."""
    return locator.evaluate("""node => {
      const { left, top, width, height } = node.getBoundingClientRect();
      return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }""")


def test_twelve_lines_are_shown_and_the_rest_is_unfolded_and_read_first(phone, session):
    held = session.bash(SCRIPT)
    card = phone.card("echo step 0")
    allow, deny = card.locator("button.allow"), card.get_by_role("button", name="Deny", exact=True)
    assert card.locator(".code").inner_text().count("\n") == 11
    expect(allow).to_be_disabled()
    expect(card.get_by_role("button", name="Allow for session")).to_be_disabled()
    expect(deny).to_be_enabled()
    phone.press(card, "Show all 41 lines")
    phone.page.evaluate("() => scrollTo({ top: 0 })")
    phone.settled(card)
    expect(allow).to_have_text("Scroll to end")
    expect(allow).to_be_disabled()
    assert in_view(allow) and in_view(deny), "the bar stays on the screen"
    phone.picture("unread")
    phone.read(card)
    expect(allow).to_have_text("Allow once")
    phone.press(card, "Allow once")
    assert held.decision() == "allow"


def test_deny_needs_nothing_to_be_seen(phone, session):
    held = session.bash(SCRIPT)
    card = phone.card("echo step 0")
    card.get_by_role("button", name="Show all 41 lines").click()
    phone.page.evaluate("() => scrollTo({ top: 0 })")
    phone.settled(card)
    card.get_by_role("button", name="Deny", exact=True).click()
    assert held.decision() == "deny"


def test_what_came_cut_can_be_denied_and_not_allowed(phone, session):
    phone.page.evaluate("() => { cdev.details.complete = async () => undefined; }")
    held = session.bash("echo " + "x" * (1 << 20))
    card = phone.card("echo")
    expect(card).to_contain_text("It is very long. The rest is being fetched.")
    expect(card.locator("button.allow")).to_be_disabled()
    card.get_by_role("button", name="Deny", exact=True).click()
    assert held.decision() == "deny"


def test_a_key_shows_the_end_before_it_allows(laptop, session):
    laptop.page.set_viewport_size({"width": 1280, "height": 420})
    held = session.bash("touch a\n" * 14)
    expect(laptop.cards()).to_have_count(1)
    other = session.bash("touch b\n" * 14)
    expect(laptop.cards()).to_have_count(2)
    second = laptop.cards().nth(1)
    second.evaluate("card => card.focus({ preventScroll: true })")
    laptop.settled(second)
    expect(second.locator("button.allow")).to_have_text("Scroll to end")
    laptop.page.keyboard.press("a")
    expect(second.locator("button.allow")).to_be_enabled()
    assert not held.answered() and not other.answered()
    laptop.settled(second)
    laptop.page.keyboard.press("a")
    assert other.decision() == "allow"


def test_a_change_outside_the_project_is_a_warning(phone, session):
    scenes.write(session, lines=3)
    card = phone.card("notes.md")
    expect(card.locator(".flags")).to_have_count(0)
    phone.page.evaluate(WITH, {"outside": True})
    expect(phone.card("notes.md").locator(".flags")).to_have_text("This changes a file outside the project.")
    phone.page.evaluate(WITH, {"outside": None})
    expect(phone.card("notes.md").locator(".flags")).to_have_text(
        "cdev could not tell if this changes a file outside the project."
    )


def test_for_the_session_is_said_in_words_with_the_pattern_beneath(phone, session):
    session.bash("touch a")
    words = "any `touch …` in proj, until the session ends or you revoke it"
    phone.card("touch a")
    phone.page.evaluate(WITH, {"scope_words": words})
    patterns = phone.card("touch a").locator(".patterns")
    expect(patterns.locator(".words")).to_have_text(words.replace("`", ""))
    expect(patterns.locator("li code")).to_have_text("Bash(touch:*)")


@pytest.mark.parametrize("context", [None, {}, {"title": None, "prompt": None, "last_words": None}, {"title": 5, "prompt": ""}, "words"])
def test_without_a_context_nothing_asks_why(phone, session, context):
    session.bash("touch a")
    phone.card("touch a")
    phone.page.evaluate(WITH, {"context": context})
    expect(phone.card("touch a").locator(".why")).to_have_count(0)


def test_what_led_to_the_call_is_folded(phone, session):
    session.bash("touch a")
    phone.card("touch a")
    phone.page.evaluate(WITH, {"context": {"title": "Fix the build", "prompt": "make\u202e it <b>work</b>", "last_words": None}})
    why = phone.card("touch a").locator(".why")
    expect(why.locator("dl")).not_to_be_visible()
    why.get_by_text("Why?").click()
    expect(why.locator("dt")).to_have_text(["Session", "You asked"])
    expect(why.locator("dd")).to_have_text(["Fix the build", "makeU+202E it <b>work</b>"])
