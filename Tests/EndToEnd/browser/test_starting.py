"""A new session, one that goes on, its mode and its end, at a scripted daemon."""
import pytest
from playwright.sync_api import expect

import talk
from double import SMALL, WIDE, Refusal
from test_access import axe, too_small_in
from test_prompting import DRIVER, HOSTILE, PLACE, RUN, running, told

OTHER = "another process works in this conversation, and two would lose what one of them wrote; go on in a copy of it with \"fork\""


def starting(at, state="ended"):
    """A daemon that can start sessions, and runs none, unless `state` says otherwise."""
    running(at, state=state)

    def start(params):
        at.now = told("starting", claude_session_id=talk.PAST if params.get("fork") or "resume_session_id" not in params else talk.SESSION)
        return at.now

    at.methods |= {"session/start": start, "session/set": lambda _: {"success": True}, "session/stop": lambda _: {"success": True}}
    return at


def refuses(at, method, message, **data):
    def refuse(_):
        raise Refusal(message, -32602, **data)

    at.methods[method] = refuse


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_start_a_session_by_keys_alone(double, size, scheme):
    at = starting(double(size, rights=DRIVER, color_scheme=scheme, reduced_motion="reduce"))
    (known,) = at.methods["workspace/list"]({})["workspaces"]
    at.methods["workspace/list"] = lambda _: {"workspaces": [known, {**known, "id": "ws-2", "name": HOSTILE, "sessions": []}]}
    page = at.open("#sessions").page
    page.get_by_role("button", name="New session").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="New session")
    expect(dialog.get_by_role("textbox", name="First prompt")).to_be_focused()
    page.keyboard.type("look around")
    expect(dialog.get_by_label("Project").locator("option").nth(1)).to_contain_text("<img src=x onerror=alert(1)>")
    assert "\u202e" not in dialog.get_by_label("Project").inner_text()
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.picture(f"new-session-{size['width']}-{scheme}")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="New session")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("textbox", name="First prompt")).to_have_value("look around")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".message.pending")).to_contain_text("look around")
    assert page.url.endswith(f"{talk.WORKSPACE}/{talk.PAST}")
    (params,) = at.asked("session/start")
    assert (params["workspace_id"], params["permission_mode"], params["prompt"]) == (talk.WORKSPACE, "default", "look around")
    expect(page.locator(f'[data-prompt="{params["prompt_id"]}"]')).to_have_count(1)


def test_a_refused_start_says_why_and_keeps_what_was_typed(double):
    at = starting(double(rights=DRIVER))
    refuses(at, "session/start", f"8 sessions have a process {HOSTILE}")
    page = at.open("#sessions").page
    page.get_by_role("button", name="New session").click()
    page.get_by_label("First prompt").fill("look around")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Starting did not work: 8 sessions have a process <img src=x")
    expect(page.get_by_label("First prompt")).to_have_value("look around")


def test_a_start_that_nobody_confirmed_is_not_started_twice(double):
    at = starting(double(rights=DRIVER))
    page = at.open("#sessions").page
    page.get_by_role("button", name="New session").click()
    at.silent.add("session/start")
    page.get_by_role("button", name="Start").click()
    page.wait_for_function("() => document.querySelector('.fresh-session .allow').disabled")
    at.drop()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Look in the list of sessions before you start it again")
    assert len(at.asked("session/start")) == 1


@pytest.mark.parametrize("rights", [("read",), ("read", "decide", "report")])
def test_who_may_not_drive_is_offered_nothing(double, rights):
    at = starting(double(rights=rights)).open("#sessions")
    expect(at.page.locator(".session")).to_have_count(1)
    expect(at.page.get_by_role("button", name="New session")).to_be_hidden()
    at.page.evaluate("place => { location.hash = place }", PLACE)
    expect(at.page.get_by_text("Now I run the tests once more.")).to_be_visible()
    expect(at.page.locator(".dock")).to_be_hidden()


def test_a_session_of_the_past_goes_on(double):
    at = starting(double(rights=DRIVER)).open(PLACE)
    at.page.get_by_role("button", name="Continue").click()
    expect(at.page.locator(".now")).to_have_text("Starting")
    expect(at.page.get_by_role("textbox", name="Prompt")).to_be_visible()
    expect(at.page.get_by_role("button", name="Continue")).to_be_hidden()
    assert at.asked("session/start") == [{"workspace_id": talk.WORKSPACE, "resume_session_id": talk.SESSION}]


def test_where_another_process_works_a_copy_is_offered(double):
    at = starting(double(rights=DRIVER)).open(PLACE)
    start = at.methods["session/start"]

    def refuse(params):
        if not params.get("fork"):
            raise Refusal(OTHER, -32602, other_writer=True)
        return start(params)

    at.methods["session/start"] = refuse
    at.page.get_by_role("button", name="Continue").click()
    dialog = at.page.get_by_role("dialog", name="Go on in a copy?")
    expect(dialog.get_by_role("button", name="Leave it")).to_be_focused()
    assert axe(at.page) == []
    dialog.get_by_role("button", name="Go on in a copy").click()
    at.page.wait_for_url(f"**/{talk.PAST}")
    assert [bool(params.get("fork")) for params in at.asked("session/start")] == [False, True]


def test_one_that_somebody_else_continued_meanwhile_is_shown(double):
    at = starting(double(rights=DRIVER)).open(PLACE)
    button = at.page.get_by_role("button", name="Continue")
    expect(button).to_be_visible()
    at.now = told("idle")
    refuses(at, "session/start", "this conversation is run already", session_id=RUN)
    button.click()
    expect(at.page.locator(".now")).to_have_text("Idle")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_project_that_nobody_trusted_is_said_at_its_session(double, scheme):
    at = starting(double(rights=DRIVER, color_scheme=scheme, reduced_motion="reduce"), state="idle")
    at.now = told("idle", project_settings="ignored")
    page = at.open(PLACE).page
    expect(page.locator(".running .spent")).to_have_text("project’s settings ignored")
    page.get_by_role("button", name="Mode: Asks as usual").click()
    note = page.get_by_role("dialog", name="This session").locator(".project-settings")
    expect(note).to_contain_text("cdev workspaces trust")
    assert (axe(page), too_small_in(page)) == ([], [])
    at.now = told("idle", project_settings="used")
    at.say("claude_status", **at.now)
    expect(note).to_be_hidden()
    expect(page.locator(".running .spent")).to_be_empty()
    at.now = told("idle", project_settings="ignored")
    page.get_by_role("button", name="Close").click()
    session = at.open("#sessions").page.locator(".session")
    expect(session).to_contain_text("project’s settings ignored")
    session.get_by_text("What it did").click()
    expect(session.locator("p.note", has_text="nobody trusted its directory")).to_be_visible()
    assert axe(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_mode_is_changed_and_the_session_ended_after_a_second_step(double, scheme):
    at = starting(double(rights=DRIVER, color_scheme=scheme, reduced_motion="reduce"), state="idle").open(PLACE)
    page = at.page
    page.get_by_role("button", name="Mode: Asks as usual").click()
    sheet = page.get_by_role("dialog", name="This session")
    assert (axe(page), too_small_in(page)) == ([], [])
    sheet.get_by_role("button", name="Only plans").click()
    assert at.asked("session/set") == [{"session_id": RUN, "permission_mode": "plan"}]
    expect(sheet.get_by_role("button", name="Asks as usual")).to_have_attribute("aria-pressed", "true")
    at.say("claude_session_info", session_id=RUN, claude_session_id=talk.SESSION, model=None, permission_mode="plan")
    expect(sheet.get_by_role("button", name="Only plans")).to_have_attribute("aria-pressed", "true")
    refuses(at, "session/set", "the session is being stopped; try again in a moment")
    sheet.get_by_role("button", name="Decides by itself").click()
    expect(sheet.get_by_role("alert")).to_contain_text("Changing the mode did not work: the session is being stopped")
    sheet.get_by_role("button", name="End session").click()
    expect(page.get_by_role("dialog", name="End this session?").get_by_role("button", name="Keep")).to_be_focused()
    page.keyboard.press("Enter")
    assert at.asked("session/stop") == []
    sheet.get_by_role("button", name="End session").click()
    page.get_by_role("button", name="End it").click()
    expect(sheet).to_be_hidden()
    assert at.asked("session/stop") == [{"session_id": RUN}]


def test_the_list_shows_what_the_daemon_runs_once(double):
    at = starting(double(rights=DRIVER), state="waiting")
    page = at.open("#sessions").page
    session = page.locator(".session")
    expect(session).to_have_count(1)
    expect(session).to_contain_text("run by cdev")
    expect(session).to_contain_text("Waits for your answer")
    at.methods["hook/sessions"] = lambda _: {"sessions": []}
    at.now = told("parked", title=HOSTILE)
    at.say("claude_status", **at.now)
    expect(session).to_contain_text("Parked: starts again with your next prompt")
    expect(session.locator(".titled")).to_have_text("<img src=x onerror=alert(1)> U+202Egnp.exe")
    expect(session.locator("a.head")).to_have_attribute("href", PLACE)


@pytest.mark.parametrize("size", [{"width": 320, "height": 640}, WIDE], ids=["narrow", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_session_of_the_past_goes_on_from_the_list(double, size, scheme):
    at = starting(double(size, rights=DRIVER, color_scheme=scheme, reduced_motion="reduce"))
    page = at.open("#sessions").page
    project = page.get_by_role("region", name="shop-api")
    expect(project.get_by_role("button", name="Continue Refactored part")).to_have_count(3)
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    project.locator(".past").first.scroll_into_view_if_needed()
    at.picture(f"continue-{size['width']}-{scheme}")
    project.get_by_role("button", name="Show all").click()
    expect(project.get_by_role("button", name="Continue Refactored part")).to_have_count(5)
    conversation = f"4{talk.PAST[1:]}"
    start = at.methods["session/start"]
    at.methods["session/start"] = lambda params: start(params) | {"claude_session_id": params["resume_session_id"]}
    project.get_by_role("button", name="Continue Refactored part 4 of the cart").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/#transcript={talk.WORKSPACE}/{conversation}")
    assert at.asked("session/start") == [{"workspace_id": talk.WORKSPACE, "resume_session_id": conversation}]


def test_in_the_list_a_refusal_is_said_and_a_copy_offered(double):
    at = starting(double(rights=DRIVER))
    start = at.methods["session/start"]
    refuses(at, "session/start", f"8 sessions have a process {HOSTILE}")
    page = at.open("#sessions").page
    first = page.get_by_role("button", name="Continue Refactored part 0 of the cart")
    first.click()
    expect(page.locator(".past").first.get_by_role("alert")).to_contain_text("Continuing did not work: 8 sessions have a process <img src=x")

    def refuse(params):
        if not params.get("fork"):
            raise Refusal(OTHER, -32602, other_writer=True)
        return start(params)

    at.methods["session/start"] = refuse
    first.click()
    expect(page.get_by_role("dialog", name="Go on in a copy?").get_by_role("button", name="Leave it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(first).to_be_focused()
    first.click()
    page.get_by_role("button", name="Go on in a copy").click()
    page.wait_for_url(f"**/{talk.PAST}")


def test_one_that_ended_today_goes_on_from_the_list(double):
    at = starting(double(rights=DRIVER))
    session, *_ = at.methods["hook/sessions"]({})["sessions"]
    others = [{**session, "session_id": f"{number}{talk.PAST[1:]}", "title": f"Other {number}", "state": state, "agent": agent} for number, state, agent in ((7, "active", "claude"), (8, "ended", "grok"))]
    at.methods["hook/sessions"] = lambda _: {"sessions": [{**session, "state": "ended"}, *others]}
    page = at.open("#sessions").page
    listed = page.locator(".session")
    expect(listed).to_have_count(3)
    expect(listed.get_by_role("button", name="Continue")).to_have_count(1)
    assert (axe(page), too_small_in(page)) == ([], [])
    listed.get_by_role("button", name="Continue Retry failed payments").click()
    page.wait_for_url(f"**/#transcript={talk.WORKSPACE}/{talk.SESSION}")
    assert at.asked("session/start") == [{"workspace_id": talk.WORKSPACE, "resume_session_id": talk.SESSION}]


def test_in_the_list_who_may_not_drive_continues_nothing(double):
    page = starting(double()).open("#sessions").page
    expect(page.locator("a.item").first).to_be_visible()
    expect(page.get_by_role("button", name="Continue")).to_have_count(0)
