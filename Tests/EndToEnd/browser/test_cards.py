"""What stands on a card besides a command, and in which order its controls are reached."""
from playwright.sync_api import expect

import scenes
from harness.waiting import until

LABEL = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


def test_the_input_of_a_server_of_tools_is_a_tree(phone, session):
    scenes.mcp(session)
    card = phone.card("create_issue (tracker)")
    expect(card.locator(".tree dt")).to_have_text(
        ["repository", "issue", "title", "labels 2 items", "1", "2", "priority", "draft", "body"])
    expect(card.locator(".tree .value")).to_have_text(["acme/api", "Time-outs on upload", "bug", "uploads", "2", "false"])
    expect(card.locator(".tree .tree .tree .value")).to_have_text(["bug", "uploads"])
    expect(card.locator(".tree .code")).to_have_text(scenes.ISSUE["body"])


def test_the_host_of_an_address_stands_apart(phone, session):
    session.call("WebFetch", {"url": "https://docs.example.com:8443@evil.example/guide?page=2", "prompt": "How?"})
    card = phone.card("Fetch a page")
    expect(card.locator(".host")).to_have_text("evil.example")
    expect(card.locator(".address")).to_contain_text("https://docs.example.com:8443@evil.example/guide?page=2")
    expect(card.locator(".tree")).to_contain_text("How?")


def test_who_asks_is_said(phone, session):
    session.bash("touch a")
    expect(phone.card("touch a").locator(".from .tag")).to_have_count(0)
    session.bash("touch b", agent_id="a1", agent_type="reviewer")
    expect(phone.card("touch b").locator(".from .tag")).to_have_text("reviewer")
    session.bash("touch c", agent_id="a2")
    expect(phone.card("touch c").locator(".from .tag")).to_have_text("subagent")


def test_the_time_that_is_left_is_a_bar_that_gets_shorter(screens, session):
    phone = screens()
    phone.page.clock.install()
    phone.paired()
    session.bash("touch a")
    bar = phone.page.locator(".card .time i")
    expect(bar).to_have_count(1)
    share = "node => node.getBoundingClientRect().width / node.parentElement.getBoundingClientRect().width"
    assert bar.evaluate(share) > 0.8
    phone.page.clock.fast_forward(300_000)
    phone.page.clock.run_for(1000)
    until(lambda: 0.3 < bar.evaluate(share) < 0.55, "half of the bar")
    assert phone.page.locator(".card .left").text_content().startswith(("4:", "5:"))


def test_the_tab_key_reaches_deny_first_and_what_is_rare_last(laptop, session):
    held = session.bash("touch a")
    card = laptop.card("touch a")
    card.focus()
    reached = []
    def tab(times):
        for _ in range(times):
            laptop.page.keyboard.press("Tab")
            reached.append(laptop.page.evaluate(LABEL))

    tab(5)
    assert reached == ["Deny", "Allow once", "Allow for session", "Remove Bash(touch:*)", "More"]
    laptop.page.keyboard.press("Enter")
    laptop.settled(card)
    tab(4)
    assert reached[5:] == ["Edit the command", "Deny with reason", "Deny for session…", "Answer in terminal"]
    laptop.page.keyboard.press("Enter")
    assert held.decision() == "ask"
