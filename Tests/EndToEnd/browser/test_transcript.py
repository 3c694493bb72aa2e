"""A session's transcript: what it shows, and that ten thousand messages scroll."""
import re

import pytest
from playwright.sync_api import expect

import talk
from double import SMALL, WIDE, Refusal
from test_access import axe, too_small_in

def place(session=talk.SESSION, *more):
    return "#transcript=" + "/".join([talk.WORKSPACE, session, *more])


def texts(double):
    return double.page.locator(".message").all_inner_texts()


def test_one_of_everything(double):
    at = talk.serve(double(), talk.story()).open(place())
    page = at.page
    expect(page.get_by_role("heading", level=1)).to_have_text("shop-api")
    expect(page.locator(".message.user").first).to_contain_text("Retry them up to five times")
    expect(page.locator(".prose strong").first).to_have_text("too early")
    expect(page.locator(".coded .language")).to_have_text("js")
    expect(page.locator(".prose td").first).to_have_text("1")
    assert page.locator(".prose img").count() == 0, "no picture of a text is fetched"
    expect(page.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()
    thought = page.locator(".fold", has_text="Thought")
    expect(thought.get_by_text("The retry is in pay.js")).to_be_hidden()
    thought.locator("summary").click()
    expect(thought.get_by_text("The retry is in pay.js")).to_be_visible()
    edit = page.locator(".call", has_text="Edit")
    expect(edit.locator(".outcome")).to_contain_text("12 s")
    edit.locator("summary").click()
    expect(edit.locator("ins.line")).to_contain_text("attempt < 5")
    failed = page.locator(".call.failed")
    expect(failed).to_contain_text("failed")
    failed.locator("summary").click()
    expect(failed.locator(".result")).to_contain_text("1 of 12 tests failed")
    task = page.locator(".call", has_text="Review the retry")
    task.locator("summary").first.click()
    task.get_by_role("button", name="Show what it did · 4 messages").click()
    expect(task.locator(".side .prose")).to_have_text("The retry counts to five.")
    shown = page.locator(".call", has_text="flow.png")
    shown.locator("summary").click()
    expect(shown.locator("img")).to_have_js_property("naturalWidth", 64)
    expect(page.get_by_text("/compact")).to_be_visible()
    expect(page.get_by_text("The conversation so far was summarised here")).to_be_visible()


def test_the_end_of_a_task_is_nothing_the_user_said(double):
    made = talk.Talk().user("Look around").user(
        "<task-notification>\n<task-id>a1</task-id>\n<summary>Agent \"look\" finished</summary>\n<result>all is well</result>\n</task-notification>", is_meta=True)
    page = talk.serve(double(), made).open(place()).page
    expect(page.get_by_text("Background task ended: Agent \"look\" finished")).to_be_visible()
    expect(page.locator(".message.user")).to_have_count(1)
    expect(page.get_by_text("task-notification")).to_have_count(0)


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(double, size, scheme):
    at = talk.serve(double(size, color_scheme=scheme, reduced_motion="reduce"), talk.story()).open(place())
    expect(at.page.get_by_text("Now I run the tests once more.")).to_be_visible()
    at.picture(f"transcript-end-{size['width']}-{scheme}")
    for summary in at.page.locator(".thread summary").all():
        summary.click()
    assert (axe(at.page), too_small_in(at.page)) == ([], [])
    assert at.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.page.locator(".message.user").first.scroll_into_view_if_needed()
    at.picture(f"transcript-{size['width']}-{scheme}")


def test_it_is_followed_live_and_nothing_comes_twice(double):
    story = talk.story()
    at = talk.serve(double(), story, state="tool_running").open(place())
    expect(at.page.get_by_text("Now I run the tests once more.")).to_be_visible()
    assert at.asked("workspace/session/watch") == [{"workspace_id": talk.WORKSPACE, "session_id": talk.SESSION}]
    story.calls("Bash", {"command": "npm test"})
    for _ in range(3):
        at.say("claude_message", session_id=talk.SESSION, workspace_id=talk.WORKSPACE, type="assistant")
    running = at.page.locator(".call", has_text="npm test").last
    expect(running).to_contain_text("running")
    story.gets("12 passed").says("All of them pass.")
    at.say("claude_message", session_id=talk.SESSION, workspace_id=talk.WORKSPACE, type="user")
    expect(at.page.get_by_text("All of them pass.")).to_have_count(1)
    expect(at.page.get_by_text("All of them pass.")).to_be_in_viewport()
    expect(running.locator(".outcome")).not_to_contain_text("running")


def test_sessions_that_go_on_from_one_another_are_linked(double):
    story = talk.story()
    at = talk.serve(double(), story)
    links = [{"kind": "clear_of", "session_id": talk.PAST}, {"kind": "forked_to", "session_id": "another"}, {"kind": "of a later version", "session_id": "x"}]
    at.methods["workspace/session/messages"] = lambda params: {**story.messages(params), "links": links if params["session_id"] == talk.SESSION else []}
    page = at.open(place()).page
    ways = page.get_by_role("navigation", name="Linked sessions").get_by_role("link")
    expect(ways).to_have_text(["Goes on after /clear: the session before", "Copied to another session"])
    assert (axe(page), too_small_in(page)) == ([], [])
    ways.first.click()
    expect(page).to_have_url(re.compile(f"{talk.WORKSPACE}/{talk.PAST}$"))
    expect(ways).to_have_count(0)


def test_what_a_subagent_does_comes_live_inside_its_call(double):
    story = talk.story()
    story.calls("Task", {"description": "Count the nails", "prompt": "Count", "subagent_type": "counter"}, "toolu_nails")
    at = double()
    at.parameters["workspace/session/watch"] = ["subagents"]
    page = talk.serve(at, story, state="tool_running").open(place()).page
    call = page.locator(".call", has_text="Count the nails")
    call.locator("summary").first.click()
    expect(call).to_contain_text("running")
    assert at.asked("workspace/session/watch")[0]["subagents"] is True
    inner = talk.Talk()
    inner.caller = "toolu_nails"

    def wrote():
        at.say("claude_message", session_id=talk.SESSION, workspace_id=talk.WORKSPACE, agent_id="a2", parent_tool_use_id="toolu_nails", id=len(inner.lines))

    story.agents["a2"] = inner.user("Count").says("I open the **box**.")
    wrote()
    call.get_by_role("button", name="Show what it did · 2 messages").click()
    expect(call.locator(".side .prose")).to_have_text(["I open the box."])
    inner.calls("Grep", {"pattern": "nail"}).gets("42").says("There are 42.")
    for _ in range(3):
        wrote()
    expect(call.locator(".side .prose")).to_have_text(["I open the box.", "There are 42."])
    expect(call.locator(".side .call", has_text="nail").locator(".outcome")).to_contain_text("done")
    assert (axe(page), too_small_in(page)) == ([], [])
    # Of the session itself nothing was asked for, and what was unfolded stays when the call ends.
    story.last = "toolu_nails"
    story.gets("42 nails").says("The box has 42.")
    at.say("claude_message", session_id=talk.SESSION, workspace_id=talk.WORKSPACE, type="user", id=len(story.lines))
    expect(page.get_by_text("The box has 42.")).to_be_visible()
    expect(call.locator(".side .prose")).to_have_text(["I open the box.", "There are 42."])
    expect(call.locator(".result").last).to_contain_text("42 nails")


def test_a_gap_in_the_connection_leaves_no_gap_in_the_transcript(double):
    story = talk.story()
    at = talk.serve(double(), story).open(place())
    expect(at.page.get_by_text("Now I run the tests once more.")).to_be_visible()
    before = texts(at)
    at.drop()
    at.page.wait_for_function("() => document.body.dataset.phase !== 'online'")
    for number in range(95):
        story.says(f"Missed {number}.")
    at.page.wait_for_function("() => document.body.dataset.phase === 'online'")
    expect(at.page.get_by_text("Missed 94.")).to_be_visible()
    assert texts(at) == [*before, *(f"Missed {number}." for number in range(95))]
    assert len(at.asked("workspace/session/watch")) == 2


def test_a_transcript_that_was_replaced_is_shown_anew(double):
    story = talk.story()
    at = talk.serve(double(), story).open(place())
    expect(at.page.get_by_text("Now I run the tests once more.")).to_be_visible()
    story.lines.clear()
    story.session = "22222222"
    story.user("Another beginning.")
    at.say("claude_message", session_id=talk.SESSION, workspace_id=talk.WORKSPACE)
    expect(at.page.get_by_text("Another beginning.")).to_be_visible()
    expect(at.page.get_by_text("Now I run the tests once more.")).to_have_count(0)


def long(count=10_000):
    made = talk.Talk()
    while len(made.lines) < count:
        number = len(made.lines)
        made.user(f"Prompt {number}")
        made.says(f"Answer {number + 1} with `code` and a few words that take more than one line on a small screen.\n\n- one\n- two")
        made.calls("Bash", {"command": f"touch f{number}"}).gets("done", is_error=number == 4000)
    return made


SCROLL = """async ([step, frames]) => {
  const times = [];
  let last = performance.now();
  for (let frame = 0; frame < frames; frame += 1) {
    scrollBy({ top: step, behavior: 'instant' });
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(frames / 2)], p95: times[Math.floor(frames * 0.95)], messages: document.querySelectorAll('.message').length };
}"""


def test_ten_thousand_messages_scroll_and_few_are_on_the_page(double, record_property):
    at = talk.serve(double(), long()).open(place())
    page = at.page
    expect(page.locator(".message").last).to_be_in_viewport()
    found = page.evaluate(SCROLL, [-400, 300])
    print(f"10,000 messages, scrolled up: {found}")
    record_property("frame_median_ms", round(found["median"], 1))
    assert found["messages"] <= 280
    page.wait_for_function("() => Number(document.querySelector('.message').dataset.place) < 9500")
    places = [int(value) for value in page.locator(".message").evaluate_all("nodes => nodes.map((node) => node.dataset.place)")]
    assert places == sorted(places) and len(set(places)) == len(places)
    page.get_by_role("button", name="To the newest").click()
    expect(page.locator(".message").last).to_be_in_viewport()
    expect(page.locator('.message[data-place="9998"]')).to_be_visible()
    assert sum(params["limit"] for params in at.asked("workspace/session/messages")) < 2000


def test_what_is_read_stays_where_it_is_while_older_ones_are_loaded(double):
    at = talk.serve(double(), long(400)).open(place())
    page = at.page
    expect(page.locator(".message").last).to_be_in_viewport()
    waits = []
    serve = at.methods["workspace/session/messages"]
    at.methods["workspace/session/messages"] = lambda params: (waits.append(params), serve(params))[1]
    page.evaluate("""() => { window.jumps = []; let last;
      const watch = () => {
        const seen = [...document.querySelectorAll('.message')].find((node) => node.getBoundingClientRect().top > 100);
        const now = seen && { place: seen.dataset.place, top: seen.getBoundingClientRect().top, y: scrollY };
        if (last && now) {
          const same = document.querySelector(`.message[data-place="${last.place}"]`);
          if (same && Math.abs(same.getBoundingClientRect().top - last.top) > 1 && !window.scrolled) window.jumps.push([last, now]);
        }
        last = now; window.scrolled = false;
        requestAnimationFrame(watch);
      };
      watch(); }""")
    for _ in range(6):
        page.evaluate("() => { window.scrolled = true; scrollBy({ top: -900, behavior: 'instant' }); }")
        page.wait_for_timeout(120)
    assert waits, "older ones were loaded"
    assert page.evaluate("() => window.jumps") == []


def test_the_next_error_is_found_wherever_it_is(double):
    at = talk.serve(double(), long(6000)).open(place())
    expect(at.page.locator(".message").last).to_be_in_viewport()
    at.page.get_by_role("button", name="To the next error").click()
    failed = at.page.locator(".call.failed")
    expect(failed).to_be_in_viewport()
    expect(failed).to_contain_text("touch f4000")
    expect(failed.locator("summary")).to_be_focused()


def test_an_address_leads_to_a_call(double):
    at = talk.serve(double(), long(2000))
    at.open(place(talk.SESSION, "toolu_402"))
    call = at.page.locator('[data-call="toolu_402"]')
    expect(call).to_be_in_viewport()
    expect(call).to_have_attribute("open", "")
    expect(call.locator(".result")).to_contain_text("done")


def test_it_is_used_by_keys_alone(double):
    at = talk.serve(double(WIDE), talk.story()).open("#sessions")
    page = at.page
    link = page.locator("a.head")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".message").last).to_be_in_viewport()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    summary = page.locator(".call summary").first
    for _ in range(30):
        page.keyboard.press("Tab")
        if summary.evaluate("node => node === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".call").first).to_have_attribute("open", "")
    page.get_by_role("link", name="Back to the sessions").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sessions")
    assert at.asked("workspace/session/unwatch") == [{}]


def test_a_transcript_that_cannot_be_read_says_so(double):
    at = talk.serve(double(), talk.story())

    def refuse(_):
        raise Refusal("no transcript has that session_id")

    at.methods["workspace/session/messages"] = refuse
    at.open(place())
    expect(at.page.get_by_text("The transcript cannot be shown: no transcript has that session_id.")).to_be_visible()


def test_a_transcript_that_is_not_there_yet_comes(double):
    story = talk.story()
    at = talk.serve(double(), story)
    there = at.methods["workspace/session/messages"]

    def refuse(_):
        raise Refusal("session not found", -32602)

    at.methods["workspace/session/messages"] = refuse
    at.open(place())
    expect(at.page.get_by_text("Nothing has been written yet. It appears here once it is.")).to_be_visible()
    at.methods["workspace/session/messages"] = there
    expect(at.page.get_by_text("Now I run the tests once more.")).to_be_visible()


def test_without_events_new_lines_are_asked_for(double):
    story = talk.story()
    at = talk.serve(double(), story)
    del at.methods["workspace/session/watch"]
    at.open(place())
    expect(at.page.get_by_text("Now I run the tests once more.")).to_be_visible()
    story.says("Nobody told of this.")
    expect(at.page.get_by_text("Nobody told of this.")).to_be_in_viewport()
