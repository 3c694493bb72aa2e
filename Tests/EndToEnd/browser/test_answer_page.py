"""The page behind an answer link: it says what it would answer, and answers when its button is pressed."""
import pytest
from playwright.sync_api import expect

from test_access import violations
from test_answer_links import settings


@pytest.fixture
def linked(bare, receiver):
    """A daemon whose webhook is sent links."""
    bare.stop()
    return bare.start(notify=settings(receiver))


def link(receiver, verb):
    return receiver.got(where=lambda delivery: delivery.json["type"] == "permission").json["links"][verb]


def follow(screen, url):
    screen.page.goto("about:blank")
    screen.page.goto(url)


@pytest.mark.parametrize(("verb", "words"), [("allow", ("Allow", "Allowed")), ("deny", ("Deny", "Denied"))])
def test_one_press_gives_the_one_answer(screens, linked, receiver, verb, words):
    held = linked.session().bash("touch a")
    phone = screens()
    url = link(receiver, verb)
    follow(phone, url)
    heading, button = phone.page.get_by_role("heading", level=1), phone.page.locator("#send")
    expect(heading).to_have_text(f"{words[0]} Bash?")
    expect(phone.page.get_by_role("status")).to_contain_text("In proj.")
    expect(phone.page.locator("#clock")).to_contain_text("left")
    expect(phone.page.locator("#call .code")).to_have_text(["touch a"] if verb == "allow" else [])
    assert phone.page.url == phone.base + "/a", "the secret is in no history"
    assert not held.answered(), "looking answers nothing"
    phone.picture("asked")
    assert violations(phone) == []
    expect(button).to_have_text(f"{words[0]} once")
    button.click()
    expect(heading).to_have_text(words[1])
    expect(button).not_to_be_visible()
    assert held.decision() == verb
    follow(phone, url)
    expect(phone.page.get_by_role("status")).to_have_text("Not answered: this link has been used.")
    expect(button).not_to_be_visible()


def test_a_call_is_allowed_only_once_all_of_it_was_on_the_screen(screens, linked, receiver):
    script = "\n".join(f"touch step-{number}" for number in range(60))
    held = linked.session().bash(script)
    phone = screens()
    follow(phone, link(receiver, "allow"))
    button = phone.page.locator("#send")
    expect(phone.page.locator("#call")).to_contain_text(str(linked.box.project))
    expect(button).to_be_disabled()
    phone.page.get_by_role("button", name="Show all 60 lines").click()
    expect(button).to_have_text("Scroll to end")
    expect(button).to_be_disabled()
    phone.page.locator("#call .mark").evaluate("mark => mark.scrollIntoView({ block: 'center' })")
    expect(button).to_be_enabled()
    button.click()
    assert held.decision() == "allow"


@pytest.mark.parametrize(("verb", "words"), [("allow", "Allow"), ("deny", "Deny")])
def test_a_phone_that_is_not_connected_yet_is_only_asked_to_try_again(screens, linked, receiver, verb, words):
    held = linked.session().bash("touch a")
    phone = screens()
    url = link(receiver, verb)
    sent = []
    phone.page.route("**/a", lambda route: (
        (sent.append(route.request.post_data_json), route.abort()) if route.request.method == "POST" else route.continue_()))
    follow(phone, url)
    button = phone.page.locator("#send")
    for count in (1, 2):
        expect(phone.page.get_by_role("status")).to_contain_text("the daemon did not answer")
        expect(button).to_have_text("Try again")
        assert [set(body) for body in sent] == [{"look", "secret"}] * count
        if count == 1:
            button.click()
            expect(phone.page.get_by_role("status")).to_contain_text("the daemon did not answer")
            phone.page.wait_for_function("() => !document.getElementById('send').disabled")
    phone.page.unroute("**/a")
    button.click()
    expect(button).to_have_text(f"{words} once")
    expect(phone.page.locator("#call .code")).to_have_text(["touch a"] if verb == "allow" else [])
    assert not held.answered(), "nothing was answered unseen"
    button.click()
    assert held.decision() == verb


def test_a_call_that_cannot_be_shown_has_no_allow(screens, linked, receiver):
    held = linked.session().bash("echo " + "x" * (40 << 10))
    phone = screens()
    follow(phone, link(receiver, "allow"))
    expect(phone.page.get_by_role("status")).to_contain_text("cannot be allowed here")
    expect(phone.page.locator("#send")).not_to_be_visible()
    assert not held.answered()


@pytest.mark.parametrize(("path", "flag"), [
    ("/etc/hosts", "This changes a file outside the project."),
    ("~/x", "cdev could not tell if this changes a file outside the project."),
])
def test_a_change_outside_the_project_is_a_warning(screens, linked, receiver, path, flag):
    linked.session().call("Write", {"file_path": path, "content": "x"})
    phone = screens()
    follow(phone, link(receiver, "allow"))
    expect(phone.page.locator("#call .flags")).to_have_text(flag)


def test_a_request_that_ended_meanwhile_says_how(screens, linked, receiver):
    held = linked.session().bash("touch a")
    phone = screens()
    follow(phone, link(receiver, "allow"))
    expect(phone.page.locator("#send")).to_be_visible()
    linked.ok("deny", linked.local.call("permission/pending")["requests"][0]["request_id"])
    assert held.decision() == "deny"
    phone.page.locator("#send").click()
    expect(phone.page.get_by_role("status")).to_have_text("Not answered: the request has ended: denied by somebody at the computer.")
    expect(phone.page.locator("#send")).not_to_be_visible()


def test_an_address_without_its_secret_answers_nothing(screens, linked):
    phone = screens().open("/a")
    expect(phone.page.get_by_role("status")).to_have_text("Not answered: this address lacks the part behind #.")
    expect(phone.page.locator("#send")).not_to_be_visible()
