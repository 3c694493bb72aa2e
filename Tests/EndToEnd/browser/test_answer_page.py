"""The page behind an answer link: it says what it would answer, and answers when its button is pressed."""
import pytest
from playwright.sync_api import expect

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
    assert phone.page.url == phone.base + "/a", "the secret is in no history"
    assert not held.answered(), "looking answers nothing"
    phone.picture("asked")
    expect(button).to_have_text(f"{words[0]} once")
    button.click()
    expect(heading).to_have_text(words[1])
    expect(button).not_to_be_visible()
    assert held.decision() == verb
    follow(phone, url)
    expect(phone.page.get_by_role("status")).to_have_text("Not answered: this link has been used.")
    expect(button).not_to_be_visible()


def test_a_request_that_ended_meanwhile_says_how(screens, linked, receiver):
    held = linked.session().bash("touch a")
    phone = screens()
    follow(phone, link(receiver, "allow"))
    expect(phone.page.locator("#send")).to_be_visible()
    linked.ok("deny", linked.local.call("permission/pending")["requests"][0]["request_id"])
    assert held.decision() == "deny"
    phone.page.locator("#send").click()
    expect(phone.page.get_by_role("status")).to_have_text("Not answered: the request has ended: deny by local.")
    expect(phone.page.locator("#send")).not_to_be_visible()


def test_an_address_without_its_secret_answers_nothing(screens, linked):
    phone = screens().open("/a")
    expect(phone.page.get_by_role("status")).to_have_text("Not answered: this address lacks the part behind #.")
    expect(phone.page.locator("#send")).not_to_be_visible()
