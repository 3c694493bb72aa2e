"""Two at one request: the second hears who was first."""
from playwright.sync_api import expect

from harness.waiting import until


def test_answered_elsewhere_it_leaves_and_says_by_whom(phone, laptop, session):
    held = session.bash("touch a")
    laptop.card("touch a")
    phone.answer("touch a", "Deny")
    assert held.decision() == "deny"
    expect(laptop.page.locator(".card.ended")).to_contain_text("Denied by phone")
    expect(laptop.page.get_by_role("button", name="Allow once")).to_have_count(0)
    expect(laptop.page.get_by_text("Nothing to answer")).to_be_visible()


def test_the_second_of_two_hears_who_was_first(bare, phone, screens, session, proxy):
    slow = screens("laptop", port=proxy.port).paired()
    held = session.bash("touch a")
    late = slow.card("touch a")
    proxy.stall()
    slow.press(late, "Allow once")
    expect(late).to_contain_text("Sending…")
    phone.answer("touch a", "Deny")
    assert held.decision() == "deny"
    proxy.mend()
    expect(slow.page.locator(".card.ended")).to_contain_text("Too late: Denied by phone")


def test_many_races_have_one_winner_each(phone, laptop, session):
    helds = [session.bash(f"touch f{number}") for number in range(6)]
    for screen in (phone, laptop):
        expect(screen.cards()).to_have_count(6)
        screen.page.wait_for_function("() => [...document.querySelectorAll('.card')].every((card) => cdev.gate.isReady(card.dataset.id))")
    script = "verb => { for (const view of [...cdev.requests.views.values()]) view.actions.give(verb); }"
    phone.page.evaluate(script, "once")
    laptop.page.evaluate(script, "deny")
    decisions = [held.decision() for held in helds]
    assert set(decisions) <= {"allow", "deny"}
    for screen, own in ((phone, "allow"), (laptop, "deny")):
        screen.tidied()
    history = until(lambda: [entry for entry in phone.cdev.history() if not entry["open"]], "the history")
    assert sorted(entry["decision"] for entry in history) == sorted(decisions)
