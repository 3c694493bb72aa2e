"""What the agent offers, at a scripted daemon: slash commands while one is typed, and models."""
import pytest
from playwright.sync_api import expect

import talk
from double import SMALL, WIDE
from test_access import axe, too_small_in
from test_prompting import DRIVER, HOSTILE, PLACE, RUN, running, told
from test_starting import refuses, starting

NARROW = {"width": 320, "height": 640}
COMMANDS = [
    {"name": "clear", "description": "Start anew", "argument_hint": ""}, {"name": "compact", "description": "Summarise what was said " * 6, "argument_hint": "<what to keep>"},
    {"name": "mcp__shop__pay", "description": HOSTILE, "argument_hint": None}, {"name": "/review", "description": "Review a pull request", "argument_hint": "[number]"},
    *[{"name": f"skill-{number}", "description": "", "argument_hint": ""} for number in range(12)], {"name": "a\u202eb", "description": "is left out"},
]
MODELS = [{"value": "opus", "name": "Opus", "description": "The largest"}, {"value": "default", "name": "Default (recommended)", "description": "Sonnet 5"},
          {"value": "haiku", "name": HOSTILE, "description": HOSTILE}]


def offering(at, **state):
    """The session's agent has told what it offers."""
    starting(at, **{"state": "idle", **state})
    at.methods["session/options"] = lambda _: {"models": MODELS, "commands": COMMANDS, "agent_version": "2.1.0"}
    return at


def parts(at):
    page = at.open(PLACE).page
    expect(page.locator(".now")).not_to_have_text("")
    page.wait_for_function("() => !document.querySelector('.model').hidden")
    return page, page.get_by_role("textbox", name="Prompt"), page.get_by_role("listbox", name="Commands")


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_choose_a_command_by_keys_alone(double, size, scheme):
    at = offering(double(size, rights=DRIVER, color_scheme=scheme, reduced_motion="reduce"))
    page, field, commands = parts(at)
    field.focus()
    page.keyboard.type("/")
    expect(commands.get_by_role("option")).to_have_count(16)
    expect(commands.get_by_role("option").nth(1)).to_contain_text("/compact <what to keep>")
    expect(commands.get_by_role("option").nth(2)).to_contain_text("<img src=x onerror=alert(1)> U+202Egnp.exe")
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.picture(f"commands-{size['width']}-{scheme}")
    assert (field.get_attribute("aria-controls"), field.get_attribute("aria-activedescendant")) == (commands.get_attribute("id"), "command-0")
    page.keyboard.press("ArrowUp")
    last = commands.get_by_role("option").last
    expect(last).to_have_attribute("aria-selected", "true")
    expect(last).to_be_in_viewport()
    assert field.get_attribute("aria-activedescendant") == last.get_attribute("id")
    page.keyboard.type("re")
    expect(commands.get_by_role("option")).to_have_count(1)
    expect(page.locator(".composer [role=status]")).to_have_text("1 command")
    page.keyboard.press("Enter")
    expect(field).to_have_value("/review ")
    expect(commands).to_be_hidden()
    expect(field).to_be_focused()
    page.keyboard.type("12")
    page.keyboard.press("Control+Enter")
    assert at.asked("session/send")[0]["prompt"] == "/review 12"
    assert page.evaluate("() => document.activeElement.getAttribute('aria-activedescendant')") is None


def test_what_begins_so_comes_first_and_escape_leaves_what_was_typed(double):
    page, field, commands = parts(offering(double(rights=DRIVER)))
    field.focus()
    page.keyboard.type("/c")
    expect(commands.get_by_role("option")).to_have_count(3)
    assert [text.split()[0].split("<")[0] for text in commands.get_by_role("option").all_inner_texts()] == ["/clear", "/compact", "/mcp__shop__pay"]
    page.keyboard.press("Escape")
    expect(commands).to_be_hidden()
    expect(field).to_have_value("/c")
    page.keyboard.type("o")
    expect(commands).to_be_hidden()
    field.fill("")
    page.keyboard.type("/co")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    expect(field).to_have_value("/compact ")
    field.fill("/co")
    page.keyboard.press("Shift+Tab")
    expect(commands).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(commands).to_be_hidden()
    expect(field).to_be_focused()
    for text in ("look at /c", "/compact now", "//", ""):
        field.fill(text)
        expect(commands).to_be_hidden()
    page.keyboard.press("Enter")
    expect(field).to_have_value("\n")


def test_a_finger_chooses_and_the_keyboard_of_the_phone_stays(double):
    page, field, commands = parts(offering(double(rights=DRIVER)))
    field.tap()
    page.keyboard.type("/rev")
    commands.get_by_role("option").tap()
    expect(field).to_have_value("/review ")
    expect(field).to_be_focused()
    field.fill("/")
    expect(commands).to_be_visible()
    page.get_by_role("button", name="Send").focus()
    expect(commands).to_be_hidden()


def test_what_an_agent_tells_later_is_offered_then(double):
    at = offering(double(rights=DRIVER))
    told_options = at.methods["session/options"]
    at.methods["session/options"] = lambda _: {"models": [], "commands": [], "agent_version": None}
    page = at.open(PLACE).page
    field, commands = page.get_by_role("textbox", name="Prompt"), page.get_by_role("listbox", name="Commands")
    field.focus()
    page.keyboard.type("/")
    expect(commands).to_be_hidden()
    assert at.asked("session/options")[-1] == {"session_id": RUN}
    at.methods["session/options"] = told_options
    at.say("claude_session_info", session_id=RUN, claude_session_id=talk.SESSION, model=None, permission_mode="default")
    expect(commands.get_by_role("option")).to_have_count(16)


def test_without_such_a_method_all_is_as_before(double):
    at = starting(double(rights=DRIVER), state="idle")
    page = at.open(PLACE).page
    page.get_by_role("textbox", name="Prompt").fill("/")
    expect(page.get_by_role("listbox", name="Commands")).to_be_hidden()
    expect(page.locator(".model")).to_be_hidden()
    at.now = told("ended")
    page.evaluate("() => { location.hash = 'sessions' }")
    page.get_by_role("button", name="New session").click()
    expect(page.get_by_label("Model")).to_be_hidden()
    page.get_by_label("First prompt").fill("look around")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".message.pending")).to_contain_text("look around")
    assert "model" not in at.asked("session/start")[0] and at.asked("session/options") == []


def test_a_new_session_begins_with_the_chosen_model(double):
    at = offering(double(NARROW, rights=DRIVER), state="ended")
    page = at.open("#sessions").page
    page.get_by_role("button", name="New session").click()
    model = page.get_by_label("Model")
    expect(model.locator("option")).to_have_text(["Default (recommended)", "Opus", "<img src=x onerror=alert(1)> ‹U+202E›gnp.exe"])
    expect(model).to_have_value("default")
    expect(page.get_by_role("dialog")).to_contain_text("Sonnet 5")
    assert at.asked("session/options") == [{}]
    model.select_option("opus")
    expect(page.get_by_role("dialog")).to_contain_text("The largest")
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.picture("new-session-model")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".now")).to_have_text("Starting")
    assert at.asked("session/start")[0]["model"] == "opus"


def test_before_an_agent_told_there_is_only_its_own_choice(double):
    at = offering(double(rights=DRIVER), state="ended")
    at.methods["session/options"] = lambda _: {"models": [], "commands": [], "agent_version": None}
    page = at.open("#sessions").page
    page.get_by_role("button", name="New session").click()
    expect(page.get_by_label("Model").locator("option")).to_have_text(["Default"])
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".now")).to_have_text("Starting")
    assert "model" not in at.asked("session/start")[0]


@pytest.mark.parametrize("size", [NARROW, SMALL, WIDE], ids=["narrow", "phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_model_and_title_are_shown_and_changed(double, size, scheme):
    at = offering(double(size, rights=DRIVER, color_scheme=scheme, reduced_motion="reduce"))
    at.now = told("running", title="Retry", model="claude-opus-5-20260101", total_cost_usd=0.12, context_tokens=84_000, context_window=200_000)
    page = at.open(PLACE).page
    expect(page.locator(".summary")).to_have_text("Retry")
    expect(page.locator(".running .spent")).to_have_text("42 % of context · $0.12")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert (axe(page), too_small_in(page)) == ([], [])
    at.picture(f"run-bar-{size['width']}-{scheme}")
    page.get_by_role("button", name="Model: opus-5").click()
    sheet = page.get_by_role("dialog", name="This session")
    models = sheet.get_by_role("group", name="Model").get_by_role("button")
    expect(models).to_have_text(["Default (recommended)", "Opus", "<img src=x onerror=alert(1)> ‹U+202E›gnp.exe"])
    expect(sheet.get_by_role("group", name="Model")).to_contain_text("Model: claude-opus-5-20260101")
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.picture(f"run-sheet-{size['width']}-{scheme}")
    models.nth(1).click()
    assert at.asked("session/set") == [{"session_id": RUN, "model": "opus"}]
    at.say("claude_session_info", session_id=RUN, claude_session_id=talk.SESSION, model="opus", permission_mode="default")
    expect(models.nth(1)).to_have_attribute("aria-pressed", "true")
    title = sheet.get_by_role("textbox", name="Title")
    expect(title).to_have_value("Retry")
    title.fill("Retry payments")
    page.keyboard.press("Enter")
    assert at.asked("session/set")[-1] == {"session_id": RUN, "title": "Retry payments"}
    at.now = {**at.now, "model": "opus", "title": "Retry payments"}
    at.say("claude_status", **at.now)
    expect(page.locator(".summary")).to_have_text("Retry payments")
    refuses(at, "session/set", "the session is being stopped; try again in a moment")
    title.fill("Another")
    sheet.get_by_role("button", name="Rename").click()
    expect(sheet.get_by_role("alert")).to_contain_text("Renaming did not work: the session is being stopped")
    at.say("claude_status", **at.now)
    expect(title).to_have_value("Another")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Model: Opus")).to_be_focused()


def test_what_it_took_is_told_by_the_end_of_each_turn(double):
    at = running(double(rights=DRIVER))
    page = at.open(PLACE).page
    spent = page.locator(".running .spent")
    expect(page.locator(".now")).to_have_text("Idle")
    expect(spent).to_be_hidden()
    usage = {"session_id": RUN, "claude_session_id": talk.SESSION, "reason": "success", "is_error": False, "text": "done"}
    at.say("claude_usage", **usage, total_cost_usd=0.004, context_tokens=None, context_window=None)
    expect(spent).to_have_text("< $0.01")
    at.say("claude_usage", **usage, total_cost_usd=1.5, context_tokens=100_000, context_window=200_000)
    expect(spent).to_have_text("50 % of context · $1.50")
    at.say("claude_usage", **{**usage, "session_id": "another"}, total_cost_usd=9, context_tokens=1, context_window=2)
    at.say("claude_status", **told("running"))
    expect(page.locator(".now")).to_have_text("Works")
    expect(spent).to_have_text("50 % of context · $1.50")
