"""Every answer a person can give on the page, and what Claude's hook is told."""
import re

import pytest
from playwright.sync_api import expect

import scenes


def test_a_request_appears_and_is_allowed(phone, session):
    held = session.bash("touch a")
    card = phone.card("touch a")
    for fact in ("proj", session.id[:8], "Bash", "made up", str(session.cwd)):
        expect(card).to_contain_text(fact)
    phone.press(card, "Allow once")
    assert held.decision() == "allow"
    phone.has_said("Allowed by you")
    expect(phone.page.get_by_text("Nothing to answer")).to_be_visible()


def test_a_request_is_denied(phone, session):
    held = session.bash("touch a")
    phone.answer("touch a", "Deny")
    assert held.decision() == "deny"
    phone.has_said("Denied by you")


def test_a_word_goes_with_the_deny(phone, session):
    held = session.bash("touch a")
    card = phone.card("touch a")
    phone.press(card, "Deny with reason")
    card.get_by_label("Claude reads this").fill("use touch b")
    expect(card.get_by_role("button", name="Allow once")).to_be_disabled()
    phone.press(card, "Deny with this")
    told = held.answer()["hookSpecificOutput"]
    assert told["permissionDecision"] == "deny" and "use touch b" in told["permissionDecisionReason"]


def test_allowed_for_the_session(phone, session):
    held = session.bash("touch a")
    card = phone.card("touch a")
    expect(card.locator(".patterns")).to_contain_text("Bash(touch:*)")
    phone.press(card, "Allow for session")
    assert held.decision() == "allow"
    phone.has_said("Allowed for the session by you")
    assert session.bash("touch b").decision() == "allow"


def test_a_pattern_is_taken_out_first(phone, session):
    phone.needs("permission/respond", "patterns")
    held = session.bash("touch a && mkdir b")
    card = phone.card("touch a")
    phone.press(card, "Remove Bash(mkdir:*)")
    expect(card.locator(".removed")).to_have_text(re.compile("mkdir"))
    phone.press(card, "Allow for session")
    assert held.decision() == "allow"
    assert session.bash("touch c").decision() == "allow"
    session.bash("mkdir d")
    phone.answer("mkdir d", "Deny")


def test_a_pattern_taken_out_can_be_put_back_and_without_any_there_is_no_session(phone, session):
    phone.needs("permission/respond", "patterns")
    session.bash("touch a")
    card = phone.card("touch a")
    phone.press(card, "Remove Bash(touch:*)")
    expect(card.get_by_role("button", name="Allow for session")).to_be_disabled()
    phone.press(card, "Put back Bash(touch:*)")
    expect(card.get_by_role("button", name="Allow for session")).to_be_enabled()


def test_the_command_is_edited(phone, session):
    held = session.bash("touch a")
    card = phone.card("touch a")
    phone.press(card, "Edit the command")
    card.get_by_label("Runs instead, this once").fill("touch b")
    expect(card).to_contain_text("Changed: Claude’s own command will not run.")
    expect(card.get_by_role("button", name="Allow for session")).to_be_disabled()
    phone.picture("edited")
    phone.press(card, "Allow changed, once")
    told = held.answer()["hookSpecificOutput"]
    assert told["permissionDecision"] == "allow"
    assert told["updatedInput"] == {"command": "touch b", "description": "made up"}


def test_what_cannot_be_seen_in_a_changed_command_is_told(phone, session):
    session.bash("touch a\u202e\u200b")
    card = phone.card("touch a")
    phone.edit(card, "touch b\u202e")
    expect(card.locator(".hint")).to_contain_text("1 character in it cannot be seen.")
    card.get_by_label("Runs instead, this once").fill("touch b")
    expect(card.locator(".hint")).to_have_text("Changed: Claude’s own command will not run.")


def test_handed_to_the_terminal(phone, session):
    held = session.bash("touch a")
    phone.answer("touch a", "Answer in terminal")
    assert held.decision() == "ask"


def test_a_question_is_a_form(phone, session):
    held = scenes.question(session)
    card = phone.card("Which database")
    send = card.get_by_role("button", name="Send answers")
    expect(send).to_be_disabled()
    card.get_by_label("PostgreSQL").check()
    card.get_by_label("Unit tests").check()
    expect(send).to_be_enabled()
    card.get_by_label("Own answer: Which checks").fill("a link check")
    card.get_by_label("Own answer: Which database").fill("MariaDB")
    expect(card.get_by_label("PostgreSQL")).not_to_be_checked()
    phone.press(card, "Send answers")
    decision = held.answer()["hookSpecificOutput"]["decision"]
    assert decision["behavior"] == "allow"
    assert decision["updatedInput"]["answers"] == {
        "Which database should the service use?": "MariaDB",
        "Which checks should run on each push?": "Unit tests, a link check"}


def test_a_plan_is_approved(phone, session):
    held = scenes.plan(session)
    card = phone.card("Move to SQLite")
    if phone.can("permission/preview"):
        expect(card.get_by_role("heading", name="Move to SQLite")).to_be_visible()
        expect(card.locator(".plan li")).to_have_count(2)
    phone.press(card, "Approve plan")
    assert held.decision() == "allow"


def test_a_plan_is_sent_back(phone, session):
    held = scenes.plan(session)
    card = phone.card("Move to SQLite")
    phone.press(card, "Say what to change")
    card.get_by_label("Claude reads this").fill("keep the old table")
    phone.press(card, "Keep planning")
    decision = held.answer()["hookSpecificOutput"]["decision"]
    assert decision["behavior"] == "deny" and "keep the old table" in decision["message"]


def test_several_at_once(phone, session):
    helds = [session.bash(f"touch {name}") for name in "abc"]
    expect(phone.cards()).to_have_count(3)
    phone.page.get_by_role("button", name="Select", exact=True).click()
    for name in "ab":
        tick(phone, f"touch {name}").check()
    phone.page.get_by_role("group", name="Selected requests").get_by_role("button", name="Allow once").click()
    assert [held.decision() for held in helds[:2]] == ["allow", "allow"]
    expect(phone.cards()).to_have_count(1)
    assert not helds[2].answered()
    assert phone.cdev.local.call("permission/rules")["count"] == 0


def tick(screen, text):
    """The tick of that card, once it may be set."""
    return screen.read(screen.card(text)).get_by_label("Select")


def selected(screen, count):
    expect(screen.page.get_by_role("group", name="Selected requests")).to_contain_text(f"{count} selected")


def test_what_is_folded_is_selected_only_once_it_was_unfolded(phone, session):
    helds = [session.bash("touch a"), session.bash("touch b " + "x" * 5000)]
    expect(phone.cards()).to_have_count(2)
    phone.page.get_by_role("button", name="Select", exact=True).click()
    long = tick(phone, "touch b")
    expect(long).to_be_disabled()
    expect(long).to_have_attribute("title", "Show all of it before you select it.")
    phone.page.evaluate("() => { for (const view of cdev.requests.views.values()) cdev.requests.batch.pick(view, true); }")
    selected(phone, 1)
    phone.card("touch b").get_by_role("button", name="Show all").click()
    expect(tick(phone, "touch b")).to_be_enabled()
    tick(phone, "touch b").check()
    tick(phone, "touch a").check()
    selected(phone, 2)
    phone.page.get_by_role("group", name="Selected requests").get_by_role("button", name="Allow once").click()
    assert [held.decision() for held in helds] == ["allow", "allow"]


def test_a_card_built_anew_keeps_its_tick_if_it_shows_the_same(phone, session):
    helds = [session.bash("touch a"), session.bash("touch b"), session.bash("touch c " + "x" * 5000)]
    expect(phone.cards()).to_have_count(3)
    phone.page.get_by_role("button", name="Select", exact=True).click()
    phone.card("touch c").get_by_role("button", name="Show all").click()
    for name in "abc":
        tick(phone, f"touch {name}").check()
    selected(phone, 3)
    phone.page.evaluate("() => cdev.requests.gather()")
    # Folded again, the last is not as it was when it was ticked.
    selected(phone, 2)
    for name, isOn in (("a", True), ("b", True), ("c", False)):
        expect(tick(phone, f"touch {name}")).to_be_checked(checked=isOn)
    phone.page.evaluate("""() => {
      const card = cdev.model.openCards.find((card) => card.data.tool_input.command === "touch b");
      cdev.model.completes({ ...card.data, tool_input: { command: "touch z" } });
      cdev.requests.replace(card.id);
    }""")
    expect(tick(phone, "touch z")).not_to_be_checked()
    selected(phone, 1)
    phone.page.get_by_role("group", name="Selected requests").get_by_role("button", name="Deny").click()
    assert helds[0].decision() == "deny"
    assert not helds[1].answered() and not helds[2].answered()


def test_a_card_that_has_just_appeared_takes_no_tick_and_no_choice(phone, session):
    scenes.question(session)
    card = phone.card("Which database")
    for label in ("PostgreSQL", "Unit tests"):
        card.get_by_label(label).evaluate("""input => {
          cdev.gate.moved(input.closest(".card").dataset.id);
          input.click();
          input.closest("label").querySelector("strong").click();
        }""")
        expect(card.get_by_label(label)).not_to_be_checked()
    phone.settled(card)
    for label in ("PostgreSQL", "Unit tests"):
        card.get_by_text(label).click()
        expect(card.get_by_label(label)).to_be_checked()
    # The hint has gone, by which the card changed its size.
    phone.settled(card)
    card.get_by_label("Unit tests").press(" ")
    expect(card.get_by_label("Unit tests")).not_to_be_checked()


def test_what_needs_its_own_answer_cannot_be_selected(phone, session):
    scenes.question(session)
    session.bash("touch a")
    expect(phone.page.get_by_role("button", name=re.compile("1 new"))).to_be_visible()
    phone.page.get_by_role("button", name=re.compile("1 new")).click()
    phone.page.get_by_role("button", name="Select", exact=True).click()
    expect(phone.cards().filter(has_text="Which database").get_by_label("Select")).to_be_disabled()
    expect(phone.cards().filter(has_text="touch a").get_by_label("Select")).to_be_enabled()


def test_denied_for_the_session(phone, session, bare):
    held = session.bash("touch a && mkdir b")
    card = phone.card("touch a")
    offered = bare.local.call("permission/pending")["requests"][0]["deny_patterns"]
    never = card.get_by_role("button", name="Deny for session", exact=True)
    expect(never).not_to_be_visible()
    phone.press(card, "Deny for session…")
    for pattern in offered:
        expect(card.locator(".lasting").filter(has_text="denied without asking")).to_contain_text(pattern)
    phone.picture("never")
    for pattern in offered[1:]:
        phone.press(card, f"Remove {pattern} (denied)")
    phone.press(card, "Deny for session")
    assert held.decision() == "deny"
    phone.has_said("Denied for the session by you")
    (rule,) = bare.local.call("permission/rules")["rules"]
    assert (rule["effect"], rule["pattern"]) == ("deny", offered[0])
    assert session.bash("touch a && mkdir b").decision() == "deny"


def test_without_a_pattern_nothing_is_denied_for_the_session(phone, session, bare):
    session.bash("touch a")
    card = phone.card("touch a")
    phone.press(card, "Deny for session…")
    expect(card.get_by_role("button", name="Deny for session…")).to_have_attribute("aria-expanded", "true")
    for pattern in bare.local.call("permission/pending")["requests"][0]["deny_patterns"]:
        phone.press(card, f"Remove {pattern} (denied)")
    expect(card.get_by_role("button", name="Deny for session", exact=True)).to_be_disabled()
    phone.press(card, "Deny for session…")
    expect(card.get_by_role("button", name="Deny for session", exact=True)).not_to_be_visible()


@pytest.mark.parametrize(("key", "decision"), [("a", "allow"), ("d", "deny"), ("s", "allow")])
def test_by_keyboard(laptop, session, key, decision):
    held = session.bash("touch a")
    laptop.card("touch a")
    other = session.bash("mkdir b")
    expect(laptop.cards()).to_have_count(2)
    laptop.settled(laptop.card("touch a"))
    laptop.page.keyboard.press("j")
    expect(laptop.card("touch a")).to_be_focused()
    laptop.page.keyboard.press("j")
    laptop.page.keyboard.press("k")
    laptop.page.keyboard.press(key)
    assert held.decision() == decision
    assert laptop.cdev.local.call("permission/rules")["count"] == (1 if key == "s" else 0)
    assert not other.answered()


def test_keys_type_in_a_field(laptop, session):
    held = session.bash("touch a")
    card = laptop.card("touch a")
    laptop.press(card, "Deny with reason")
    laptop.page.keyboard.type("a sad day")
    expect(card.get_by_label("Claude reads this")).to_have_value("a sad day")
    assert not held.answered()
