"""The field under a transcript at a scripted daemon: what is kept, what is sent twice and run once, what is written at this moment."""
import pytest
from playwright.sync_api import expect

import talk
from double import NOW, SMALL, WIDE, Refusal
from test_access import axe, too_small_in

DRIVER = ("read", "decide", "report", "drive")
RUN = "run-1"
PLACE = f"#transcript={talk.WORKSPACE}/{talk.SESSION}"
HOSTILE = "<img src=x onerror=alert(1)> \u202egnp.exe"


def told(state="idle", prompts=(), **more):
    return {"id": RUN, "session_id": RUN, "workspace_id": talk.WORKSPACE, "status": "stopped" if state == "ended" else "running", "claude_state": state, "claude_session_id": talk.SESSION,
            "permission_mode": "default", "model": None, "title": None, "started_at": NOW, "last_active": NOW, "is_running": state == "running", "waiting_for_input": state == "waiting",
            "background_work": False, "prompts": [{"prompt_id": one, "state": step} for one, step in prompts], **more}


def running(at, story=None, **state):
    """The session of `talk` is one that the daemon runs."""
    talk.serve(at, story or talk.story())
    at.now = told(**state)
    at.methods |= {
        "session/active": lambda _: {"sessions": [at.now] if at.now["status"] == "running" else [], "count": 1},
        "session/state": lambda _: at.now, "session/interrupt": lambda _: {"success": True},
        "session/send": lambda params: {"status": "sent", "prompt_id": params["prompt_id"]},
        "session/watch": lambda _: {"session_id": RUN, "watching": True, "partial": []}, "session/unwatch": lambda _: {"session_id": RUN, "watching": False},
    }
    return at


def does(at, state, prompts=(), **more):
    at.now = told(state, prompts, **more)
    at.say("claude_status", **at.now)


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_field(double, size, scheme):
    at = running(double(size, rights=DRIVER, color_scheme=scheme, reduced_motion="reduce")).open(PLACE)
    page, field = at.page, at.page.get_by_role("textbox", name="Prompt")
    field.fill(HOSTILE)
    page.keyboard.press("Control+Enter")
    sent = at.asked("session/send")[0]
    does(at, "running", [(sent["prompt_id"], "sent")])
    pending = page.locator(".message.pending")
    expect(pending).to_contain_text("Waits behind what it does")
    expect(pending).to_contain_text("<img src=x onerror=alert(1)> U+202E")
    field.fill("one\ntwo\nthree\nfour")
    assert field.bounding_box()["height"] > 100, "the field grows with its text"
    at.say("claude_delta", session_id=RUN, type="text", text="I **look** at it")
    expect(page.locator(".stream strong")).to_have_text("look")
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.picture(f"prompting-{size['width']}-{scheme}")
    page.get_by_role("button", name="Stop").focus()
    page.keyboard.press("Enter")
    assert at.asked("session/interrupt") == [{"session_id": RUN}]


def test_it_says_in_words_what_the_session_does(double):
    at = running(double(rights=DRIVER)).open(PLACE)
    now, stop = at.page.locator(".now"), at.page.get_by_role("button", name="Stop")
    for state, words, is_stopped in (("running", "Works", True), ("waiting", "Waits for your answer", True), ("idle", "Idle", False),
                                     ("parked", "Parked: starts again with your next prompt", False), ("stopping", "Ending", False)):
        does(at, state)
        expect(now).to_have_text(words)
        expect(stop).to_be_visible() if is_stopped else expect(stop).to_be_hidden()
    does(at, "running", retry={"attempt": 2, "of": 10})
    expect(now).to_have_text("Works: the model did not answer, and is asked again (2 of 10)")
    at.say("session_stopped", **told("ended", reason=f"it wrote {HOSTILE}"))
    expect(now).to_have_text("Ended: it wrote <img src=x onerror=alert(1)> U+202Egnp.exe")
    expect(at.page.get_by_role("textbox", name="Prompt")).to_be_hidden()


def test_a_draft_is_kept_over_a_reload_until_it_is_sent(double):
    at = running(double(rights=DRIVER)).open(PLACE)
    field = at.page.get_by_role("textbox", name="Prompt")
    field.fill("half a thou")
    at.page.wait_for_function("""async key => {
      const { recall } = await import('/js/net/vault.js');
      return (await recall(key))?.draft === 'half a thou';
    }""", arg=f"prompts {talk.SESSION}")
    at.page.reload()
    expect(field).to_have_value("half a thou")
    at.page.evaluate("place => { location.hash = place }", f"#transcript={talk.WORKSPACE}/{talk.PAST}")
    expect(at.page.locator(".composer")).to_be_hidden()
    at.page.go_back()
    expect(field).to_have_value("half a thou")
    at.page.get_by_role("button", name="Send").click()
    expect(field).to_have_value("")
    does(at, "running", [(at.asked("session/send")[0]["prompt_id"], "started")])
    does(at, "idle")
    expect(at.page.locator(".message.pending")).to_have_count(0)
    at.page.wait_for_function("async key => (await (await import('/js/net/vault.js')).recall(key)) === undefined", arg=f"prompts {talk.SESSION}")


def test_who_is_signed_out_leaves_no_draft(double):
    at = running(double(rights=DRIVER)).open(PLACE)
    at.page.get_by_role("textbox", name="Prompt").fill("half a thou")
    at.page.wait_for_function("async key => (await (await import('/js/net/vault.js')).recall(key))?.draft", arg=f"prompts {talk.SESSION}")
    at.page.evaluate("() => cdev.link.leave('You signed out.')")
    at.page.wait_for_function("""() => new Promise((done) => {
      const opening = indexedDB.open('cdev', 1);
      opening.onsuccess = () => opening.result.transaction('kept').objectStore('kept').count().onsuccess = (event) => (opening.result.close(), done(event.target.result === 0));
    })""")


@pytest.mark.parametrize("gap", ["lost", "reloaded"])
def test_a_prompt_that_nobody_confirmed_is_sent_again_under_its_id(double, gap):
    story = talk.story()
    at = running(double(rights=DRIVER), story).open(PLACE)
    at.silent.add("session/send")
    at.page.get_by_role("textbox", name="Prompt").fill("go on")
    at.page.get_by_role("button", name="Send").click()
    expect(at.page.locator(".message.pending")).to_contain_text("Being sent")
    at.page.wait_for_function("async key => (await (await import('/js/net/vault.js')).recall(key))?.list.length === 1", arg=f"prompts {talk.SESSION}")
    at.silent.clear()
    at.drop() if gap == "lost" else at.page.reload()
    expect(at.page.locator(".message.pending")).to_contain_text("Sent")
    first, second = at.asked("session/send")
    assert first == second and first["prompt"] == "go on"
    story.user("go on")
    story.lines[-1]["uuid"] = first["prompt_id"]
    at.say("claude_message", session_id=talk.SESSION, workspace_id=talk.WORKSPACE, type="user")
    expect(at.page.locator(".message.user", has_text="go on")).to_have_count(1)
    expect(at.page.locator(".message.pending")).to_have_count(0)


def test_after_a_gap_nothing_is_run_that_nobody_knows_of(double):
    at = running(double(rights=DRIVER)).open(PLACE)
    at.page.get_by_role("textbox", name="Prompt").fill("go on")
    at.page.get_by_role("button", name="Send").click()
    sent = at.asked("session/send")[0]
    does(at, "running", [(sent["prompt_id"], "sent")])
    expect(at.page.locator(".message.pending")).to_contain_text("Waits behind what it does")
    at.now = told("idle")
    at.drop()
    expect(at.page.locator(".message.pending")).to_contain_text("nobody knows whether it ran")
    assert len(at.asked("session/send")) == 1
    at.page.get_by_role("button", name="Edit and send again").click()
    at.page.get_by_role("button", name="Send").click()
    expect(at.page.locator(".message.pending")).to_contain_text("Sent")
    assert at.asked("session/send")[1]["prompt_id"] != sent["prompt_id"]


def test_a_refused_prompt_comes_back_with_the_reason(double):
    at = running(double(rights=DRIVER)).open(PLACE)

    def refuse(_):
        raise Refusal("as many prompts as are kept wait for this session; wait for one of them")

    at.methods["session/send"] = refuse
    at.page.get_by_role("textbox", name="Prompt").fill("go on")
    at.page.get_by_role("button", name="Send").click()
    expect(at.page.locator(".dock .hint")).to_contain_text("Not sent: as many prompts")
    expect(at.page.get_by_role("textbox", name="Prompt")).to_have_value("go on")
    expect(at.page.locator(".message.pending")).to_have_count(0)


def test_a_prompt_that_was_taken_and_not_written_down_is_not_offered_again(double):
    at = running(double(rights=DRIVER)).open(PLACE)

    def take(_):
        raise Refusal("it was done, but could not be written down", done=True)

    at.methods["session/send"] = take
    at.page.get_by_role("textbox", name="Prompt").fill("go on")
    at.page.get_by_role("button", name="Send").click()
    expect(at.page.locator(".message.pending")).to_contain_text("Sent")
    expect(at.page.get_by_role("textbox", name="Prompt")).to_have_value("")


def test_the_whole_message_takes_the_place_of_its_pieces(double):
    story = talk.story()
    at = running(double(rights=DRIVER), story, state="running")
    at.methods["session/watch"] = lambda _: {"session_id": RUN, "watching": True, "partial": [{"type": "thinking", "text": "hm"}, {"type": "text", "text": "I have "}]}
    page = at.open(PLACE).page
    stream = page.locator(".stream")
    expect(stream).to_contain_text("I have")
    expect(stream).to_be_in_viewport()
    for piece in ("counted ", "**five** ", "nails."):
        at.say("claude_delta", session_id=RUN, type="text", text=piece)
    at.say("claude_delta", session_id="another", type="text", text="nobody's")
    expect(stream.locator(".prose")).to_have_text("I have counted five nails.")
    top = stream.locator(".prose").bounding_box()["y"]
    whole = [{"type": "text", "text": "I have counted **five** nails."}]
    at.say("claude_message", session_id=RUN, claude_session_id=talk.SESSION, type="assistant", uuid="u-5", role="assistant", content=whole)
    expect(stream.locator(".writing")).to_have_count(0)
    expect(stream.locator(".prose")).to_have_text("I have counted five nails.")
    story.says("I have counted **five** nails.")
    story.lines[-1]["uuid"] = "u-5"
    at.say("claude_message", session_id=talk.SESSION, workspace_id=talk.WORKSPACE, type="assistant")
    written = page.locator('.thread [data-uuid="u-5"] .prose')
    expect(written).to_have_text("I have counted five nails.")
    expect(page.get_by_text("nails.")).to_have_count(1)
    assert abs(written.bounding_box()["y"] - top) <= 2
    at.say("claude_delta", session_id=RUN, type="text", text="Next I")
    expect(stream).to_contain_text("Next I")
    at.methods["session/watch"] = lambda _: {"session_id": RUN, "watching": True, "partial": [{"type": "text", "text": "Next I open"}]}
    at.drop()
    expect(stream.locator(".prose")).to_have_text("Next I open")
    does(at, "idle")
    expect(stream).to_be_hidden()


def test_who_reads_further_up_is_not_moved(double):
    at = running(double(rights=DRIVER), state="running")
    page = at.open(PLACE).page
    expect(page.get_by_text("Now I run the tests once more.")).to_be_visible()
    page.evaluate("() => scrollTo({ top: 200, behavior: 'instant' })")
    page.wait_for_function("() => scrollY === 200")
    for number in range(30):
        at.say("claude_delta", session_id=RUN, type="text", text=f"line {number}\n\n")
    expect(page.locator(".stream")).to_contain_text("line 29")
    assert page.evaluate("() => scrollY") == 200


def test_a_cleared_conversation_leads_to_the_next_one(double):
    at = running(double(rights=DRIVER)).open(PLACE)
    expect(at.page.locator(".now")).to_have_text("Idle")
    at.say("claude_session_info", session_id=RUN, claude_session_id=talk.PAST, model=None, permission_mode="default")
    expect(at.page.locator(".now")).to_contain_text("It goes on in another conversation")
    expect(at.page.get_by_role("textbox", name="Prompt")).to_be_hidden()
    at.page.get_by_role("link", name="another conversation").click()
    assert at.page.url.endswith(talk.PAST)


def test_without_a_websocket_it_is_asked_what_the_session_does(double):
    at = running(double(rights=DRIVER))
    at.is_barred = True

    def send(params):
        at.now = told("running", [(params["prompt_id"], "started")])
        return {"status": "sent", "prompt_id": params["prompt_id"]}

    at.methods["session/send"] = send
    page = at.open(PLACE).page
    expect(page.locator(".now")).to_have_text("Idle")
    page.get_by_role("textbox", name="Prompt").fill("go on")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".now")).to_have_text("Works")
    expect(page.locator(".message.pending")).to_contain_text("Taken up")
    at.now = told("idle")
    expect(page.locator(".message.pending")).to_have_count(0)
    assert at.asked("session/watch") == []


def test_an_older_daemon_shows_the_transcript_as_before(double):
    at = talk.serve(double(rights=DRIVER), talk.story()).open(PLACE)
    expect(at.page.get_by_text("Now I run the tests once more.")).to_be_visible()
    expect(at.page.locator(".dock")).to_be_hidden()
