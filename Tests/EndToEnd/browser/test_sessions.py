"""The list of sessions: what goes on now, and what was before, project by project."""
import pytest
from playwright.sync_api import expect

import talk
from double import SMALL, WIDE
from test_access import axe, too_small_in

CARD = {"request_id": "r_1", "opening": 1, "tool_name": "Bash", "kind": "shell_command", "members": {"command": "command"}, "title": "Run a command", "tool_input": {"command": "npm test"},
        "target": "npm test", "description": "Run the tests", "session_id": talk.SESSION, "cwd": "/home/ana/shop-api", "tool_use_id": "toolu_open", "created_at": "2026-11-25T10:00:00Z",
        "deadline": "2126-11-25T10:05:00Z", "patterns": [], "deny_patterns": []}


def served(made, story=None, **session):
    talk.serve(made, story or talk.story(), **session)
    made.methods |= {"workspace/git/status": lambda _: {}, "workspace/files/list": lambda _: {}}
    return made


def asks(double, **more):
    """A request of the session is open."""
    card = {**CARD, **more}
    double.methods["permission/pending"] = lambda params: {"requests": [card] if not params.get("offset") else [], "count": 1, "more": 0}
    return card


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_session_says_what_it_does_and_what_it_waits_for(double, size, scheme):
    at = served(double(size, color_scheme=scheme, reduced_motion="reduce"), state="permission_pending", pending_requests=1)
    history = at.methods["workspace/session/history"]
    fact = {"session_id": talk.SESSION, "summary": "Retry", "branch": "main", "model": "claude-opus-5", "cost_usd": 0.4213, "input_tokens": 812_000, "output_tokens": 31_000}
    at.methods["workspace/session/history"] = lambda params: {"sessions": [fact], "total": 1} if "workspace_id" not in params else history(params)
    asks(at)
    page = at.open("#sessions").page
    card = page.locator(".session")
    expect(card.locator(".named")).to_contain_text("shop-api main")
    expect(card.locator(".titled")).to_have_text("Retry failed payments")
    expect(card).to_contain_text("Waiting for an answer · 1 request open")
    expect(card.locator(".spent")).to_have_text("claude-opus-5 · $0.42 · 843 k tokens")
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.picture(f"sessions-{size['width']}-{scheme}")
    card.locator("summary").click()
    expect(card).to_contain_text("You asked: Retry them up to five times")
    card.get_by_role("link", name="npm test").click()
    expect(page.locator(".card")).to_be_focused()


def test_a_session_says_what_was_said_last(double):
    at = served(double(), last_words="I looked at pay.js.\n\nAll **12** tests pass now.\n", turn_ended=True).open("#sessions")
    card = at.page.locator(".session")
    expect(card.locator(".said")).to_have_text("Claude: All **12** tests pass now.")
    expect(card).to_contain_text("Waiting for your prompt")
    expect(card).not_to_contain_text("Active")


def test_a_session_that_works_says_what_it_was_asked(double):
    at = served(double(), last_words="All tests pass.", turn_ended=False).open("#sessions")
    card = at.page.locator(".session")
    expect(card.locator(".said")).to_have_text("You: Retry them up to five times")
    expect(card).to_contain_text("Active")


def test_those_of_the_past_stand_below_by_project(double):
    at = served(double()).open("#sessions")
    project = at.page.get_by_role("region", name="shop-api")
    expect(project.locator("a.item")).to_have_count(3)
    expect(project.locator("a.item").first).to_contain_text("Refactored part 0 of the cart")
    project.get_by_role("button", name="Show all 5 sessions").click()
    expect(project.locator("a.item")).to_have_count(5)
    expect(project.locator("a.item").last).to_contain_text("46 messages · main")
    project.locator("a.item").nth(1).click()
    expect(at.page.locator(".message").first).to_be_visible()
    assert at.asked("workspace/session/messages")[0]["session_id"] == "1" + talk.PAST[1:]


def test_a_daemon_without_workspaces_lists_its_sessions_all_the_same(double):
    at = talk.serve(double(), talk.story())
    for method in [name for name in at.methods if name.startswith("workspace/")]:
        del at.methods[method]
    at.open("#sessions")
    expect(at.page.locator(".session")).to_contain_text("shop-api")
    expect(at.page.locator(".session a")).to_have_count(0)


def test_a_card_is_answered_from_inside_its_transcript(double):
    story = talk.story().calls("Bash", {"command": "npm test"}, "toolu_open")
    at = served(double(), story, state="permission_pending")
    asks(at)
    at.methods["permission/respond"] = lambda params: {"success": True, "request_id": "r_1", "decision": params["decision"], "scope": "once"}
    page = at.open(f"#transcript={talk.WORKSPACE}/{talk.SESSION}").page
    call = page.locator('[data-call="toolu_open"]')
    expect(call.locator(".outcome")).to_have_text("waits for you")
    card = page.locator(".transcript .card")
    expect(card).to_have_count(1)
    expect(page.locator(".jumps")).to_be_hidden()
    page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
    page.get_by_role("button", name="To the open request").click()
    expect(card).to_be_focused()
    expect(page.locator(".jumps")).to_be_hidden()
    page.wait_for_function("() => cdev.gate.isReady('r_1')")
    at.picture("answer-inside")
    assert axe(page) == []
    card.get_by_role("button", name="Allow once").click()
    expect(page.locator("#said")).to_have_text("Allowed by you")
    assert at.asked("permission/respond") == [{"request_id": "r_1", "decision": "allow", "scope": "once"}]
    expect(card).to_have_count(0)
    story.gets("12 passed").says("All of them pass.")
    at.methods["permission/pending"] = lambda _: {"requests": [], "count": 0, "more": 0}
    at.say("claude_message", session_id=talk.SESSION, workspace_id=talk.WORKSPACE)
    expect(page.get_by_text("All of them pass.")).to_be_in_viewport()


def test_a_card_goes_back_to_the_requests_with_what_was_typed(double):
    at = served(double(), state="permission_pending")
    asks(at)
    page = at.open(f"#transcript={talk.WORKSPACE}/{talk.SESSION}").page
    card = page.locator(".transcript .card")
    page.wait_for_function("() => cdev.gate.isReady('r_1')")
    card.get_by_role("button", name="More").click()
    page.wait_for_timeout(700)
    card.get_by_role("button", name="Deny with reason").click()
    card.get_by_role("textbox").fill("not today")
    page.get_by_role("link", name="Requests").click()
    expect(page.locator(".requests .card")).to_have_count(1)
    expect(page.locator(".requests .card").get_by_role("textbox")).to_have_value("not today")
    expect(page.locator(".requests .card").get_by_role("button", name="Deny with this")).to_be_visible()
    page.go_back()
    expect(page.locator(".transcript .card").get_by_role("textbox")).to_have_value("not today")


def test_a_press_on_a_card_that_has_just_come_does_nothing(double):
    at = served(double(), state="permission_pending")
    page = at.open(f"#transcript={talk.WORKSPACE}/{talk.SESSION}").page
    expect(page.get_by_text("Now I run the tests once more.")).to_be_visible()
    page.evaluate("""() => new Promise((done) => {
      const observer = new MutationObserver(() => {
        const button = document.querySelector('.transcript .card button.allow');
        if (!button) return;
        observer.disconnect();
        for (const kind of ['pointerdown', 'pointerup', 'click']) button.dispatchEvent(new PointerEvent(kind, { bubbles: true, cancelable: true }));
        window.pressed = true;
      });
      observer.observe(document.querySelector('.transcript'), { childList: true, subtree: true });
      done();
    })""")
    at.say("pty_permission", sequence=2, **{key: value for key, value in CARD.items() if key != "session_id"} | {"session_id": talk.SESSION})
    page.wait_for_function("() => window.pressed")
    assert at.asked("permission/respond") == []


def test_why_leads_to_the_call_in_the_transcript(double):
    story = talk.story().calls("Bash", {"command": "npm test"}, "toolu_open")
    at = served(double(), story, state="permission_pending")
    asks(at, context={"title": "Retry failed payments", "prompt": "Retry them", "last_words": "Now I run the tests once more."})
    page = at.open().page
    page.locator(".card summary", has_text="Why?").click()
    page.get_by_role("link", name="Show it in the transcript").click()
    expect(page.locator('[data-call="toolu_open"]')).to_be_in_viewport()


def test_all_transcripts_are_searched(double):
    at = served(double())
    at.methods["session/search"] = lambda params: {"hits": [{"id": 5, "session_id": talk.SESSION, "snippet": f"found {params['query']}", "timestamp": talk.at(0), "type": "assistant", "summary": "Retry", "cwd": "/home/ana/shop-api"}], "count": 1}
    page = at.open("#sessions").page
    page.get_by_role("searchbox", name="Search all transcripts").fill("retry")
    hit = page.locator(".found a")
    expect(hit).to_contain_text("Claude: found retry")
    hit.click()
    expect(page.locator(".message.found")).to_contain_text("I looked at src/pay.js")
    expect(page.locator(".message.found")).to_be_in_viewport()


def test_a_view_only_device_sees_a_request_and_no_answers(double):
    at = served(double(WIDE, rights=("read",)), state="permission_pending")
    asks(at)
    page = at.open(f"#transcript={talk.WORKSPACE}/{talk.SESSION}").page
    expect(page.locator(".transcript .card")).to_contain_text("This device only views.")
    expect(page.locator(".transcript .card button.allow")).to_be_hidden()
