"""What a person has begun to type or choose on a card stays, whatever comes meanwhile, and answers nothing by itself."""
import pytest
from playwright.sync_api import expect

import scenes

# What a preview that comes late, or new ones asked for, does to a card.
REBUILT = {"late": "cdev.requests.replace(cdev.model.openCards[0].id)", "gathered": "cdev.requests.gather()"}


def rebuilt(screen, how):
    screen.page.evaluate(f"() => {{ document.querySelector('.card').dataset.old = 'yes'; {REBUILT[how]}; }}")
    expect(screen.page.locator(".card[data-old]")).to_have_count(0)
    expect(screen.cards()).to_have_count(1)


@pytest.mark.parametrize("how", REBUILT)
def test_a_reason(phone, session, how):
    held = scenes.edit(session)
    card = phone.card("retry.py")
    phone.press(card, "Deny with reason")
    card.get_by_label("Claude reads this").fill("keep three")
    rebuilt(phone, how)
    expect(card.get_by_label("Claude reads this")).to_have_value("keep three")
    phone.press(card, "Deny with this")
    assert "keep three" in held.answer()["hookSpecificOutput"]["permissionDecisionReason"]


@pytest.mark.parametrize("how", REBUILT)
def test_a_changed_command_and_patterns(phone, session, how):
    session.bash("touch a && mkdir b")
    card = phone.card("touch a")
    phone.press(card, "Remove Bash(mkdir:*)")
    phone.press(card, "Edit the command")
    card.get_by_label("Runs instead, this once").fill("touch c")
    rebuilt(phone, how)
    expect(card.get_by_label("Runs instead, this once")).to_have_value("touch c")
    expect(card.locator(".removed")).to_contain_text("mkdir")
    expect(card.get_by_role("button", name="Allow changed, once")).to_be_visible()


@pytest.mark.parametrize("how", REBUILT)
def test_choices(phone, session, how):
    held = scenes.question(session)
    card = phone.card("Which database")
    card.get_by_label("PostgreSQL").check()
    card.get_by_label("Own answer: Which checks").fill("links")
    rebuilt(phone, how)
    phone.press(card, "Send answers")
    answers = held.answer()["hookSpecificOutput"]["decision"]["updatedInput"]["answers"]
    assert list(answers.values()) == ["PostgreSQL", "links"]


def test_typing_goes_on_in_the_same_place(laptop, session):
    held = scenes.edit(session)
    card = laptop.card("retry.py")
    laptop.press(card, "Deny with reason")
    laptop.page.keyboard.type("as sad")
    laptop.page.keyboard.press("ArrowLeft")
    rebuilt(laptop, "late")
    laptop.settled(card)
    laptop.page.keyboard.type("ad s")
    expect(card.get_by_label("Claude reads this")).to_have_value("as saad sd")
    assert not held.answered()


def test_the_next_opening_and_another_input_begin_anew(phone, session):
    session.bash("touch a")
    card = phone.card("touch a")
    phone.press(card, "Deny with reason")
    card.get_by_label("Claude reads this").fill("no")
    phone.page.evaluate("""() => {
      const [card] = cdev.model.openCards;
      cdev.model.completes({ ...card.data, tool_input: { command: "touch z" } });
      cdev.requests.replace(card.id);
    }""")
    expect(phone.card("touch z").get_by_label("Claude reads this")).to_have_count(0)


def test_keys_meant_for_a_field_that_has_gone_answer_no_other_card(laptop, session, bare):
    held, other = session.bash("touch a"), session.bash("touch b")
    expect(laptop.cards()).to_have_count(2)
    first = laptop.card("touch a")
    laptop.press(first, "Deny with reason")
    laptop.settled(laptop.card("touch b"))
    laptop.page.keyboard.type("I ")
    bare.local.call("permission/respond", {"tool_use_id": held.tool_use_id, "decision": "deny"})
    expect(laptop.page.locator(".card.ended")).to_have_count(1)
    laptop.page.keyboard.type("just said a")
    assert laptop.page.evaluate("() => cdev.requests.hands.selected !== null && cdev.model.open(cdev.requests.hands.selected) === null")
    assert not other.answered()


def test_after_a_pause_keys_mean_cards_again(laptop, session):
    assert laptop.page.evaluate("""() => {
      const { hands, hands: { gate } } = cdev.requests;
      const now = gate.now;
      let time = 1e9;
      gate.now = () => time;
      const field = document.createElement("textarea");
      const said = [hands.isTyped({ target: field })];
      for (const pause of [900, 900, 1000, 0]) {
        time += pause;
        said.push(hands.isTyped({ target: document.body }));
      }
      gate.now = now;
      return said;
    }""") == [True, True, True, False, False]
