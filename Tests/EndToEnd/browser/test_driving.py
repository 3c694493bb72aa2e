"""A phone drives a session that the daemon runs: prompts and stops it, reads along, and knows what came of it after a gap."""
import threading

import pytest
from playwright.sync_api import expect

from harness.browser import PHONE, Screen
from harness.checks import includes
from harness.fake_model import say, touch, use, write
from harness.runs import Runs
from harness.waiting import until

from conftest import SCREENSHOTS

pytestmark = pytest.mark.real_cli


@pytest.fixture
def runs(box, cdev):
    return Runs(box, cdev)


@pytest.fixture
def driver(runs, cdev, chromium, request):
    """Makes a paired phone that may drive, once `runs` has begun."""
    made = []

    def make(rights="drive"):
        screen = Screen(chromium, cdev, "phone", PHONE, SCREENSHOTS / request.node.name)
        made.append(screen)
        return screen.paired(runs.call("token/create", name="phone", rights=rights)["token"])

    yield make
    troubles = [trouble for screen in made for trouble in screen.troubles]
    for screen in made:
        screen.close()
    assert troubles == []


def at_transcript(screen, runs):
    conversation = runs.state()["claude_session_id"]
    screen.page.evaluate("place => { location.hash = place }", f"transcript={runs.workspace}/{conversation}")
    expect(screen.page.locator(".now")).to_be_visible()
    return screen.page


def prompt(page, text):
    page.get_by_role("textbox", name="Prompt").fill(text)
    page.get_by_role("button", name="Send").click()


def test_a_prompt_is_sent_and_answered_and_the_next_one_waits(box, runs, model, driver):
    gate = threading.Event()
    runs.begin(model(say("hello", gate=gate), say("and again"))).start()
    page = at_transcript(driver(), runs)
    expect(page.locator(".now")).to_have_text("Idle")
    expect(page.get_by_text("Nothing has been written yet")).to_be_visible()
    prompt(page, "greet me")
    expect(page.locator(".now")).to_have_text("Works")
    expect(page.locator(".message.user", has_text="greet me")).to_have_count(1)
    prompt(page, "once more")
    expect(page.locator(".message.pending", has_text="once more")).to_contain_text("Waits behind what it does")
    gate.set()
    expect(page.locator(".message.assistant", has_text="and again")).to_be_in_viewport()
    expect(page.locator(".message.user:not(.pending)")).to_have_count(2)
    expect(page.locator(".message.pending")).to_have_count(0)
    expect(page.locator(".now")).to_have_text("Idle")
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    runs.stop()
    expect(page.locator(".now")).to_have_text("Ended: somebody ended it")
    expect(page.get_by_role("textbox", name="Prompt")).to_be_hidden()


def test_stop_ends_the_turn_and_gives_back_what_waited(box, runs, model, driver):
    gate = threading.Event()
    runs.begin(model(say("answered", gate=gate))).start()
    screen = driver()
    page = at_transcript(screen, runs)
    prompt(page, "go")
    expect(page.locator(".now")).to_have_text("Works")
    prompt(page, "behind it")
    expect(page.locator(".message.pending", has_text="behind it")).to_contain_text("Waits behind what it does")
    screen.picture("works")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".now")).to_have_text("Idle")
    gate.set()
    taken = page.locator(".message.pending", has_text="behind it")
    expect(taken).to_contain_text("Not run: it was taken back")
    screen.picture("stopped")
    taken.get_by_role("button", name="Edit and send again").click()
    expect(page.get_by_role("textbox", name="Prompt")).to_have_value("behind it")
    page.get_by_role("textbox", name="Prompt").press("Control+Enter")
    expect(page.locator(".message.assistant", has_text="answered")).to_be_visible()
    runs.stop()


def test_a_card_of_the_session_is_answered_above_the_field(box, runs, model, driver):
    call = touch("x")
    runs.begin(model(use(call), say("done"))).start()
    screen = driver()
    page = at_transcript(screen, runs)
    prompt(page, "make x")
    expect(page.locator(".now")).to_have_text("Waits for your answer")
    card = page.locator(".transcript .card:not(.ended)")
    expect(card).to_have_count(1)
    expect(page.locator(".message.user:not(.pending)", has_text="make x")).to_be_visible()
    screen.picture("asks")
    screen.press(card, "Allow once")
    expect(page.locator(".message.assistant .prose", has_text="done")).to_be_visible()
    assert (box.project / "x").exists()
    runs.stop()


def test_who_may_only_answer_sees_what_it_does(box, runs, model, driver):
    runs.begin(model(say("hello"))).start()
    page = at_transcript(driver("approve"), runs)
    expect(page.locator(".now")).to_have_text("Idle")
    runs.send("from elsewhere")
    expect(page.locator(".message.assistant", has_text="hello")).to_be_visible()
    expect(page.get_by_role("textbox", name="Prompt")).to_be_hidden()
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    runs.stop()


def test_what_is_written_is_read_along_and_is_whole_in_the_end(box, cdev, runs, model, driver):
    first, second, third = threading.Event(), threading.Event(), threading.Event()
    runs.begin(model(write("Once **upon** ", first, "a time ", second, "there was", third, " a heron."))).start()
    screen = driver()
    page = at_transcript(screen, runs)
    prompt(page, "tell me")
    stream = page.locator(".stream")
    expect(stream.locator("strong")).to_have_text("upon")
    screen.picture("writes")
    assert stream.get_attribute("aria-live") == "off"
    first.set()
    expect(stream).to_contain_text("Once upon a time")
    # Killed in the middle: the session goes on, and what it wrote meanwhile is there afterwards.
    cdev.kill()
    screen.is_phase("offline")
    second.set()
    cdev.start()
    screen.tries_now()
    expect(stream).to_contain_text("Once upon a time there was")
    third.set()
    expect(page.locator(".thread .message.assistant")).to_have_text("Once upon a time there was a heron.")
    expect(page.locator(".now")).to_have_text("Idle")
    expect(stream).to_be_hidden()
    expect(page.get_by_text("there was a heron")).to_have_count(1)
    expect(page.locator(".message.user")).to_have_count(1)
    runs.stop()


def test_a_session_is_started_ended_and_continued(box, cdev, runs, model, driver):
    runs.begin(model(say("hello"), say("welcome back"), say("in a copy")))
    screen = driver()
    page = screen.page
    screen.tab("Sessions")
    page.get_by_role("button", name="New session").click()
    dialog = page.get_by_role("dialog", name="New session")
    expect(dialog.get_by_label("Project").locator("option")).to_have_text([f"proj ({box.project})"])
    dialog.get_by_role("combobox", name="Mode", exact=True).select_option("acceptEdits")
    dialog.get_by_label("First prompt").fill("greet me")
    screen.picture("new-session")
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator(".message.user", has_text="greet me")).to_have_count(1)
    expect(page.locator(".message.assistant", has_text="hello")).to_be_visible()
    expect(page.locator(".now")).to_have_text("Idle")
    expect(page.locator(".mode")).to_have_text("Changes files unasked")
    (session,) = runs.call("session/active")["sessions"]
    screen.tab("Sessions")
    listed = page.locator(".session")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("run by cdev")
    expect(listed).to_contain_text("Idle")
    listed.locator("a.head").click()
    page.locator(".mode").click()
    sheet = page.get_by_role("dialog", name="This session")
    sheet.get_by_role("button", name="Only plans").click()
    expect(sheet.get_by_role("button", name="Only plans")).to_have_attribute("aria-pressed", "true")
    screen.picture("sheet")
    assert runs.call("session/state", session_id=session["id"])["permission_mode"] == "plan"
    sheet.get_by_role("button", name="End session").click()
    page.get_by_role("button", name="Keep").click()
    includes(runs.call("session/state", session_id=session["id"]), status="running")
    sheet.get_by_role("button", name="End session").click()
    page.get_by_role("button", name="End it").click()
    expect(page.locator(".now")).to_have_text("Ended: somebody ended it")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".now")).to_have_text("Idle")
    prompt(page, "here I am")
    expect(page.locator(".message.assistant", has_text="welcome back")).to_be_visible()
    (again,) = runs.call("session/active")["sessions"]
    assert again["claude_session_id"] == session["claude_session_id"] and again["id"] != session["id"]
    runs.call("session/stop", session_id=again["id"])
    expect(page.get_by_role("button", name="Continue")).to_be_visible()


def test_what_the_agent_offers_is_chosen_and_one_prompt_taken_back(box, runs, model, driver):
    """The lists are the real client's; the first session tells them, so the page has them for the next."""
    gate = threading.Event()
    answers = model(say("hello", gate=gate), say("and the last"))
    runs.begin(answers).start()
    runs.becomes("idle")
    runs.stop()
    screen = driver()
    page = screen.page
    screen.tab("Sessions")
    page.get_by_role("button", name="New session").click()
    dialog = page.get_by_role("dialog", name="New session")
    dialog.get_by_label("Model").select_option("haiku")
    dialog.get_by_label("First prompt").fill("greet me")
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator(".now")).to_have_text("Works")
    (runs.session,) = runs.call("session/active")["sessions"]
    assert "haiku" in runs.state()["model"]
    prompt(page, "a heron")
    waits = page.locator(".message.pending", has_text="a heron")
    expect(waits).to_contain_text("Waits behind what it does")
    prompt(page, "the last")
    waits.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("textbox", name="Prompt")).to_have_value("a heron")
    gate.set()
    expect(page.locator(".message.assistant", has_text="and the last")).to_be_visible()
    assert "a heron" not in str(answers.requests)
    expect(page.get_by_text("of context")).to_be_visible()
    page.get_by_role("textbox", name="Prompt").fill("/comp")
    expect(page.get_by_role("listbox", name="Commands").get_by_role("option").first).to_contain_text("/compact")
    screen.picture("commands")
    runs.stop()


def test_where_another_process_works_it_goes_on_in_a_copy(box, cdev, runs, model, driver, claude):
    # By its hooks the daemon knows of a session that it does not run.
    cdev.ok("install")
    answers = model(say("hello"), say("in a copy"))
    runs.begin(answers)
    terminal = claude(answers, "remember the heron", dialogue=True)
    terminal.turn_ends()
    screen = driver()
    page = screen.page
    page.evaluate("place => { location.hash = place }", f"transcript={runs.workspace}/{terminal.session_id}")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave it").click()
    assert runs.call("session/active")["count"] == 0
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("dialog").get_by_role("button", name="Go on in a copy").click()
    expect(page.locator(".now")).to_have_text("Idle")
    assert not page.url.endswith(terminal.session_id)
    prompt(page, "what was it?")
    expect(page.locator(".message.assistant", has_text="in a copy")).to_be_visible()
    expect(page.locator(".message.user")).to_have_count(2)
    assert "heron" in str(answers.requests[-1])
    runs.call("session/stop", session_id=runs.call("session/active")["sessions"][0]["id"])


def test_who_may_only_answer_starts_and_continues_nothing(box, cdev, runs, model, driver):
    runs.begin(model(say("hello"))).start(prompt="go")
    runs.becomes("idle")
    screen = driver("approve")
    page = at_transcript(screen, runs)
    expect(page.locator(".mode")).to_be_disabled()
    runs.stop()
    expect(page.locator(".now")).to_have_text("Ended: somebody ended it")
    expect(page.get_by_role("button", name="Continue")).to_be_hidden()
    screen.tab("Sessions")
    expect(page.get_by_role("region", name="proj")).to_be_visible()
    expect(page.get_by_role("button", name="New session")).to_be_hidden()
