"""Nothing moves under a finger, and what moved or has just appeared ignores it."""
import re

from playwright.sync_api import expect

import scenes
from harness.waiting import until

# Presses that control at the very moment so many cards are there, as a finger that was on its way does.
AT_ONCE = """([count, selector]) => new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    if (document.querySelectorAll('.card').length !== count) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const button = document.querySelector(selector);
      const events = ['pointerdown', 'pointerup', 'click'];
      for (const kind of events) button.dispatchEvent(new PointerEvent(kind, {bubbles: true, cancelable: true, detail: 1}));
      resolve(button.closest('.card').dataset.id);
    });
  });
  observer.observe(document.querySelector('.cards'), {childList: true, subtree: true});
})"""


def at_once(screen, count, selector, cause):
    """Starts to watch, then lets `cause` happen, and returns the id of the card that was pressed."""
    screen.page.evaluate("() => { window.pressed = undefined; }")
    screen.page.evaluate(f"([a, b]) => {{ ({AT_ONCE})([a, b]).then((id) => window.pressed = id); }}", [count, selector])
    cause()
    return screen.page.wait_for_function("() => window.pressed").json_value()


def top(card):
    return round(card.bounding_box()["y"])


def centre(button):
    box = button.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def told(screen, count):
    """The page has heard of so many open requests."""
    screen.page.wait_for_function("count => cdev.model.openCards.length === count", arg=count)


def test_what_is_due_sooner_waits_to_be_asked_for(phone, session):
    scenes.question(session)
    card = phone.card("Which database")
    before = top(card)
    session.bash("touch a")
    fresh = phone.page.get_by_role("button", name="Show 1 new request")
    expect(fresh).to_be_visible()
    expect(phone.cards()).to_have_count(1)
    assert top(card) == before
    phone.picture("one-new")
    fresh.click()
    expect(phone.cards()).to_have_count(2)
    expect(phone.cards().first).to_contain_text("touch a")


def test_arrivals_and_departures_leave_the_card_in_view_where_it_is(phone, bare, session):
    helds = [session.bash(f"touch f{number}") for number in range(6)]
    expect(phone.cards()).to_have_count(6)
    card = phone.card("touch f3")
    card.scroll_into_view_if_needed()
    phone.page.evaluate("id => document.querySelector(`[data-id=\"${id}\"]`).scrollIntoView({block: 'center'})", card.get_attribute("data-id"))
    before = top(card)
    for number in (0, 1, 5):
        request = next(r for r in bare.local.call("permission/pending")["requests"] if r["tool_use_id"] == helds[number].tool_use_id)
        bare.local.call("permission/respond", {"request_id": request["request_id"], "decision": "deny"})
    session.bash("touch later")
    expect(phone.page.locator(".card:not(.ended)")).to_have_count(4)
    # Those out of view are cleared after a while; the one in view does not notice.
    expect(phone.page.locator(".card.ended")).to_have_count(0, timeout=20_000)
    assert abs(top(card) - before) <= 1


def test_a_press_means_the_card_it_began_on(phone, bare, session):
    held = session.bash("touch a")
    card = phone.card("touch a")
    phone.page.mouse.move(*centre(card.get_by_role("button", name="Allow once")))
    phone.page.mouse.down()
    others = [session.bash("touch b"), session.bash("touch c")]
    told(phone, 3)
    bare.local.call("permission/respond", {"tool_use_id": others[0].tool_use_id, "decision": "ask"})
    told(phone, 2)
    phone.page.mouse.up()
    assert held.decision() == "allow"
    assert not others[1].answered()


def test_a_press_on_a_card_that_goes_sets_off_nothing(phone, bare, session):
    helds = [session.bash(f"touch {name}") for name in "ab"]
    expect(phone.cards()).to_have_count(2)
    first = phone.card("touch a")
    phone.settled(phone.card("touch b"))
    phone.page.mouse.move(*centre(first.get_by_role("button", name="Allow once")))
    phone.page.mouse.down()
    bare.local.call("permission/respond", {"tool_use_id": helds[0].tool_use_id, "decision": "deny"})
    expect(phone.page.locator(".card.ended")).to_contain_text("Denied by somebody at the computer")
    phone.page.mouse.up()
    assert helds[0].decision() == "deny"
    # One whole conversation later nothing else was sent.
    phone.answer("touch b", "Deny")
    assert helds[1].decision() == "deny"


def test_a_press_on_a_card_that_appears_is_ignored(phone, session):
    helds = []
    at_once(phone, 1, ".card .allow", lambda: helds.append(session.bash("touch a")))
    phone.answer("touch a", "Deny")
    assert helds[0].decision() == "deny"


def test_a_press_on_a_card_that_moved_is_ignored(phone, session):
    helds = [session.bash(f"touch {name}") for name in "ab"]
    expect(phone.cards()).to_have_count(2)
    second = phone.card("touch b")
    before = top(second)
    at_once(phone, 1, ".card .allow", lambda: phone.answer("touch a", "Deny"))
    assert top(second) < before, "one's own answer closes up"
    phone.answer("touch b", "Deny")
    assert [held.decision() for held in helds] == ["deny", "deny"]


def test_a_key_for_a_card_that_has_gone_does_nothing(laptop, bare, session):
    helds = [session.bash(f"touch {name}") for name in "ab"]
    expect(laptop.cards()).to_have_count(2)
    laptop.settled(laptop.card("touch b"))
    laptop.page.keyboard.press("j")
    expect(laptop.card("touch a")).to_be_focused()
    bare.local.call("permission/respond", {"tool_use_id": helds[0].tool_use_id, "decision": "deny"})
    expect(laptop.page.locator(".card.ended")).to_be_focused()
    laptop.page.keyboard.press("a")
    laptop.page.keyboard.press("j")
    expect(laptop.card("touch b")).to_be_focused()
    laptop.settled(laptop.card("touch b"))
    laptop.page.keyboard.press("d")
    assert [held.decision() for held in helds] == ["deny", "deny"]


def test_a_key_in_the_first_moment_is_ignored(laptop, session):
    session.bash("touch a")
    laptop.card("touch a").focus()
    held = session.bash("touch b")
    expect(laptop.cards()).to_have_count(2)
    laptop.page.evaluate("""() => {
      const card = document.querySelectorAll('.card')[1];
      cdev.gate.moved(card.dataset.id);
      card.focus();
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', bubbles: true}));
    }""")
    laptop.settled(laptop.cards().nth(1))
    laptop.page.keyboard.press("d")
    assert held.decision() == "deny"


def test_asked_again_it_is_the_same_card_and_stands_where_it_stood(phone, bare, session):
    held = session.bash("touch a")
    card = phone.card("touch a")
    held.hang_up()
    expect(phone.page.locator(".card.ended")).to_contain_text(re.compile("stopped waiting"))
    expect(phone.page.get_by_text("Nothing to answer")).to_be_visible(timeout=15_000)
    until(lambda: bare.local.call("permission/pending")["count"] == 0, "nothing to be open")
    expect(card).to_have_count(0)
