"""One prompt that waits is taken back, at a scripted daemon: into the field, or to be looked at; or the agent has it already."""
import pytest
from playwright.sync_api import expect

from double import SMALL, WIDE
from test_access import axe, too_small_in
from test_attaching import attach, shot
from test_prompting import DRIVER, PLACE, RUN, does, running, told
from test_starting import refuses

FIRST = "Waits behind what it does"


def waiting(at, *texts):
    """These wait behind what the session does, and each can be taken back."""
    running(at, state="running")
    at.queue = []

    def send(params):
        at.queue.append((params["prompt_id"], "sent"))
        return {"status": "sent", "prompt_id": params["prompt_id"]}

    def cancel(params):
        at.queue = [one for one in at.queue if one[0] != params["prompt_id"]]
        at.now = told("running", at.queue)
        # The event comes before the answer.
        at.say("claude_status", **at.now)
        return {"success": True, "cancelled": True}

    at.methods |= {"session/send": send, "session/cancel_prompt": cancel}
    page = at.open(PLACE).page
    expect(page.locator(".now")).to_have_text("Works")
    for text in texts:
        page.get_by_role("textbox", name="Prompt").fill(text)
        page.get_by_role("button", name="Send").click()
        expect(row(page, text)).to_be_visible()
    does(at, "running", at.queue)
    for text in texts:
        expect(row(page, text)).to_contain_text(FIRST)
    return page


def row(page, text):
    return page.locator(".message.pending", has_text=text)


@pytest.mark.parametrize("size", [{"width": 320, "height": 640}, SMALL, WIDE], ids=["narrow", "phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_of_two_goes_back_to_the_field_by_keys(double, size, scheme):
    at = double(size, rights=DRIVER, color_scheme=scheme, reduced_motion="reduce")
    page = waiting(at, "one", "two")
    assert (axe(page), too_small_in(page)) == ([], [])
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    at.picture(f"taking-back-{size['width']}-{scheme}")
    row(page, "two").get_by_role("button", name="Take it back").focus()
    page.keyboard.press("Enter")
    field = page.get_by_role("textbox", name="Prompt")
    expect(field).to_have_value("two")
    expect(field).to_be_focused()
    expect(row(page, "two")).to_have_count(0)
    expect(row(page, "one")).to_contain_text(FIRST)
    first, second = at.asked("session/send")
    assert at.asked("session/cancel_prompt") == [{"session_id": RUN, "prompt_id": second["prompt_id"]}]


def test_where_something_is_typed_it_waits_for_a_person(double):
    at = double(rights=DRIVER)
    page = waiting(at, "one")
    field = page.get_by_role("textbox", name="Prompt")
    field.fill("something else")
    row(page, "one").get_by_role("button", name="Take it back").click()
    expect(row(page, "one")).to_contain_text("Not run: it was taken back")
    expect(field).to_have_value("something else")
    row(page, "one").get_by_role("button", name="Forget it").click()
    expect(row(page, "one")).to_have_count(0)
    assert len(at.asked("session/send")) == 1


def test_its_pictures_come_back_with_it(double):
    at = double(rights=DRIVER)
    page = waiting(at, "one")
    expect(attach(page, shot())).to_have_count(1)
    page.get_by_role("textbox", name="Prompt").fill("two")
    page.get_by_role("button", name="Send").click()
    expect(row(page, "two").locator("img")).to_have_count(1)
    does(at, "running", at.queue)
    row(page, "two").get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("list", name="Pictures to send").get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("textbox", name="Prompt")).to_have_value("two")


def test_what_the_agent_has_already_is_said_so(double):
    at = double(rights=DRIVER)
    page = waiting(at, "one")
    at.methods["session/cancel_prompt"] = lambda _: {"success": True, "cancelled": False}
    row(page, "one").get_by_role("button", name="Take it back").click()
    expect(page.locator(".dock .hint")).to_have_text("Not taken back: Claude has it already.")
    does(at, "running", [(at.queue[0][0], "started")])
    expect(row(page, "one")).to_contain_text("Taken up")
    expect(row(page, "one").get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("textbox", name="Prompt")).to_have_value("")


def test_a_refusal_says_why_and_leaves_it(double):
    at = double(rights=DRIVER)
    page = waiting(at, "one")
    refuses(at, "session/cancel_prompt", "the session is being stopped; try again in a moment")
    row(page, "one").get_by_role("button", name="Take it back").click()
    expect(page.locator(".dock .hint")).to_contain_text("Taking it back did not work: the session is being stopped")
    expect(row(page, "one").get_by_role("button", name="Take it back")).to_be_enabled()


def test_an_answer_that_was_lost_runs_nothing_twice(double):
    at = double(rights=DRIVER)
    page = waiting(at, "one")
    at.silent.add("session/cancel_prompt")
    at.methods["session/cancel_prompt"] = lambda _: {"success": True, "cancelled": True}
    row(page, "one").get_by_role("button", name="Take it back").click()
    expect(row(page, "one").get_by_role("button", name="Take it back")).to_be_disabled()
    at.now = told("running")
    at.drop()
    expect(row(page, "one")).to_contain_text("nobody knows whether it ran")
    assert len(at.asked("session/send")) == 1


def test_without_such_a_method_nothing_is_offered(double):
    at = double(rights=DRIVER)
    waiting(at)
    del at.methods["session/cancel_prompt"]
    page = at.page
    page.reload()
    page.get_by_role("textbox", name="Prompt").fill("one")
    page.get_by_role("button", name="Send").click()
    does(at, "running", at.queue)
    expect(row(page, "one")).to_contain_text(FIRST)
    expect(row(page, "one").get_by_role("button")).to_have_count(0)
