"""Many cards: whose they are, those that are alike, what has ended, and what the page says about it."""
import re

import pytest
from playwright.sync_api import expect

from harness.browser import DESKTOP
from harness.waiting import until


def headings(screen):
    return screen.page.locator(".cards > .heading")


def test_cards_stand_session_by_session(phone, bare):
    sessions = [bare.session() for _ in range(2)]
    for session in sessions:
        session.start()
    for number in range(2):
        for name, session in zip("ab", sessions):
            session.bash(f"touch {name}{number}")
            phone.page.wait_for_function("text => document.body.innerText.includes(text)", arg=f"touch {name}{number}")
    expect(headings(phone)).to_have_count(4)
    phone.page.get_by_role("link", name="Requests").click()
    expect(phone.cards().locator(".body")).to_have_text(["touch a0", "touch a1", "touch b0", "touch b1"])
    expect(headings(phone)).to_have_text([re.compile("proj.*2 requests")] * 2)


def test_the_first_look_is_grouped_too(screens, bare, phone):
    sessions = [bare.session() for _ in range(2)]
    for session in sessions:
        session.start()
    for number in range(2):
        for name, session in zip("ab", sessions):
            session.bash(f"touch {name}{number}")
    until(lambda: bare.local.call("permission/stats")["pending_requests"] == 4, "four open requests")
    other = screens("other").paired()
    expect(other.cards().locator(".body")).to_have_text(["touch a0", "touch a1", "touch b0", "touch b1"])


def test_those_with_equal_keys_are_allowed_together_once_all_were_seen(phone, session):
    helds = [session.bash(f"touch {name}") for name in "abc"]
    other = session.bash("mkdir d")
    expect(phone.cards()).to_have_count(4)
    expect(phone.card("mkdir d").get_by_role("button", name=re.compile("like this"))).to_have_count(0)
    phone.press(phone.card("touch a"), "Allow 3 like this…")
    dialog = phone.page.get_by_role("dialog", name="3 requests like this")
    expect(dialog.locator(".code")).to_have_text(["touch a", "touch b", "touch c"])
    expect(dialog).to_contain_text("Bash(touch:*)")
    phone.picture("like-this")
    dialog.get_by_role("button", name="Allow these 3 once").click()
    assert [held.decision() for held in helds] == ["allow"] * 3
    assert not other.answered()
    assert phone.cdev.local.call("permission/rules")["count"] == 0


def test_what_is_folded_among_them_is_unfolded_first(phone, session):
    helds = [session.bash("touch a"), session.bash("\n".join(f"touch b{number}" for number in range(20)))]
    expect(phone.cards()).to_have_count(2)
    phone.press(phone.card("touch a"), "Allow 2 like this…")
    dialog = phone.page.get_by_role("dialog")
    allow = dialog.get_by_role("button", name="Allow these 2 once")
    expect(allow).to_be_disabled()
    dialog.get_by_role("button", name=re.compile("Show all")).click()
    dialog.locator(".mark").evaluate("mark => mark.scrollIntoView({ block: 'center' })")
    expect(allow).to_be_enabled()
    dialog.get_by_role("button", name="Cancel").click()
    assert not any(held.answered() for held in helds)


def test_many_are_allowed_together_once_the_last_was_on_the_screen(phone, session):
    helds = [session.bash(f"touch file{number}") for number in range(14)]
    expect(phone.cards()).to_have_count(14)
    phone.press(phone.card("touch file0"), "Allow 14 like this…")
    dialog = phone.page.get_by_role("dialog")
    allow = dialog.get_by_role("button", name="Allow these 14 once")
    # Past the time in which a fresh dialog takes no press.
    phone.page.wait_for_function("since => performance.now() > since + 700", arg=phone.page.evaluate("() => performance.now()"))
    expect(allow).to_be_disabled()
    dialog.evaluate("dialog => dialog.scrollTo({ top: dialog.scrollHeight })")
    allow.click()
    assert [held.decision() for held in helds] == ["allow"] * 14


@pytest.mark.parametrize("other", ["session", "key", "hidden"])
def test_others_are_not_like_it(phone, bare, session, other):
    session.bash("touch a")
    second = session
    if other == "session":
        second = bare.session()
        second.start()
    second.bash({"session": "touch b", "key": "mkdir b", "hidden": "touch b\u200b"}[other])
    expect(phone.cards()).to_have_count(2)
    expect(phone.page.get_by_role("button", name=re.compile("like this"))).to_have_count(0)


def test_what_became_of_an_answer_stands_for_three_seconds(screens, session):
    phone = screens()
    phone.page.clock.install()
    phone.paired()
    session.bash("touch a")
    card = phone.cards()
    expect(card).to_have_count(1)
    phone.page.clock.run_for(1000)
    card.get_by_role("button", name="Deny", exact=True).click()
    line = phone.page.locator(".titles .link")
    expect(line).to_have_text("Denied: touch a")
    phone.page.clock.run_for(2500)
    expect(line).to_have_text("Denied: touch a")
    phone.page.clock.run_for(1000)
    expect(line).to_have_text("Connected")


def test_what_has_ended_elsewhere_takes_a_line_and_makes_room(laptop, bare, session):
    helds = [session.bash(f"touch {name}") for name in "ab"]
    expect(laptop.cards()).to_have_count(2)
    last = laptop.card("touch b")
    before = last.bounding_box()["height"]
    bare.local.call("permission/respond", {"tool_use_id": helds[1].tool_use_id, "decision": "deny"})
    ended = laptop.page.locator(".card.ended")
    expect(ended).to_have_count(1)
    assert ended.bounding_box()["height"] < before / 2
    bare.local.call("permission/respond", {"tool_use_id": helds[0].tool_use_id, "decision": "deny"})
    expect(laptop.page.locator(".card")).to_have_count(0, timeout=20_000)


def test_an_ended_card_above_another_goes_when_nobody_touches_anything(laptop, bare, session):
    helds = [session.bash(f"touch {name}") for name in "ab"]
    expect(laptop.cards()).to_have_count(2)
    laptop.settled(laptop.card("touch b"))
    bare.local.call("permission/respond", {"tool_use_id": helds[0].tool_use_id, "decision": "deny"})
    expect(laptop.page.locator(".card")).to_have_count(1, timeout=20_000)
    laptop.answer("touch b", "Deny")


def test_the_icon_counts_what_is_open(phone, session):
    phone.page.evaluate("() => { navigator.setAppBadge = async (count) => { window.badge = count; }; }")
    session.bash("touch a")
    phone.card("touch a")
    phone.page.wait_for_function("() => window.badge === 1")
    phone.answer("touch a", "Deny")
    phone.page.wait_for_function("() => window.badge === 0")


def test_the_keys_are_listed(laptop, session):
    expect(laptop.page.get_by_text("lists the keys")).to_be_visible()
    laptop.page.keyboard.press("?")
    dialog = laptop.page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("next, previous request")
    laptop.page.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    session.bash("touch a")
    card = laptop.card("touch a")
    laptop.press(card, "Deny with reason")
    laptop.page.keyboard.type("why?")
    expect(card.get_by_label("Claude reads this")).to_have_value("why?")
    expect(dialog).not_to_be_visible()


def test_offline_nothing_is_said_to_be_open_or_not(phone, bare):
    expect(phone.page.get_by_role("heading", name="Nothing to answer")).to_be_visible()
    bare.stop()
    phone.is_phase("offline")
    expect(phone.page.get_by_role("heading", name="Offline")).to_be_visible()
    expect(phone.page.get_by_text("Nothing to answer")).to_have_count(0)
    bare.start()
    phone.online()


def test_a_desktop_shows_every_request_beside_the_cards(laptop, session):
    for number in range(8):
        session.bash(f"touch file{number}")
    expect(laptop.cards()).to_have_count(8)
    pane = laptop.page.get_by_role("navigation", name="Requests at a glance")
    expect(pane.get_by_role("button")).to_have_count(8)
    pane.get_by_role("button", name="touch file7").click()
    expect(laptop.card("touch file7")).to_be_focused()
    expect(pane.get_by_role("button", name="touch file7")).to_have_attribute("aria-current", "true")
    left, right = pane.bounding_box(), laptop.card("touch file7").bounding_box()
    assert left["x"] + left["width"] <= right["x"]
    laptop.page.set_viewport_size({**DESKTOP, "width": 1000})
    expect(pane).not_to_be_visible()


def test_lines_that_begin_alike_are_told_apart_by_their_ends(laptop, session):
    start = "npx prettier --write --config ./config/prettier.json src/pages/"
    session.bash(start + "first.html\ntouch a\n")
    session.bash(start + "second.html")
    expect(laptop.cards()).to_have_count(2)
    lines = laptop.page.get_by_role("navigation", name="Requests at a glance").locator(".one-line")
    expect(lines.first).to_have_text(start + "first.html ⏎ touch a")
    for line in lines.all():
        end = line.locator(".rest")
        assert end.evaluate("node => node.scrollWidth <= node.clientWidth + 1 && node.getBoundingClientRect().right <= node.parentElement.getBoundingClientRect().right + 1")
    assert lines.nth(1).locator(".rest").inner_text() == (start + "second.html")[-16:]


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_text_of_twice_the_size_is_neither_cut_nor_wider_than_the_screen(screens, session, width):
    phone = screens("phone", size={"width": width, "height": 800})
    phone.page.add_init_script("addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })")
    phone.paired()
    session.bash("npm test -- --watch=false")
    card = phone.card("npm test")
    cut = """() => [...document.querySelectorAll('.top *, .tabs a, .tabs span, .card button, .card h2')]
      .filter((node) => node.offsetParent && !node.closest('.unseen, .icon') && (node.scrollWidth > node.clientWidth + 1 && node.clientWidth || node.getBoundingClientRect().right > innerWidth + 1))
      .map((node) => [node.className, node.textContent])"""
    assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert phone.page.evaluate(cut) == []
    broken = "() => [...document.querySelectorAll('.tabs a span:first-of-type, .card h2 span')].map((node) => [node.textContent, node.getClientRects().length, node.offsetHeight / parseFloat(getComputedStyle(node).lineHeight)])"
    assert [found for found in phone.page.evaluate(broken) if found[2] > 3.1] == [], "no title is a column of letters"
    for name in ("Sessions", "History", "Rules", "Devices"):
        phone.tab(name)
        phone.page.wait_for_load_state("networkidle")
        assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= width, name
    phone.tab("Requests")
    phone.picture(f"twice-{width}")
    phone.answer("npm test", "Deny")
    expect(card).to_have_count(0)
