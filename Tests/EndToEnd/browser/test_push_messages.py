"""Push messages at the page's worker, brought by Chromium itself: what they show, and where a press of it leads."""
import json

import pytest
from playwright.sync_api import expect

from harness.waiting import Late, until
from test_push import decode, sent  # noqa: F401 (a fixture)

SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
  .map(({ title, body, tag, silent, data }) => ({ title, body, tag, silent, request_id: data.request_id }))"""

# Chromium lets only a person's press open or focus a window, so what the worker asks for is written down.
PRESS = """async (action) => {
  const done = [];
  Clients.prototype.openWindow = async (url) => void done.push(['open', url]);
  WindowClient.prototype.focus = async function () { done.push(['focus', new URL(this.url).pathname]); };
  const [notification] = await registration.getNotifications();
  const event = new NotificationEvent('notificationclick', { notification, action });
  let kept;
  event.waitUntil = (promise) => { kept = promise; };
  self.dispatchEvent(event);
  await kept;
  return done;
}"""


class Pushes:
    """The way a push service has to the worker of one browser."""

    def __init__(self, screen):
        self.screen = screen
        screen.context.grant_permissions(["notifications"], origin=screen.base)
        screen.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        self.devtools = screen.context.new_cdp_session(screen.page)
        self.registrations = []
        self.devtools.on("ServiceWorker.workerRegistrationUpdated", lambda told: self.registrations.extend(told["registrations"]))
        self.devtools.send("ServiceWorker.enable")
        until(lambda: screen.page.evaluate("() => 1") and self.registrations, "the worker's registration")

    def bring(self, message):
        self.message = message if isinstance(message, str) else json.dumps(message)
        self.deliver()

    def deliver(self):
        self.devtools.send("ServiceWorker.deliverPushMessage", {
            "origin": self.screen.base, "registrationId": self.registrations[-1]["registrationId"], "data": self.message})

    def shown(self, count):
        def found():
            found = self.screen.page.evaluate(SHOWN)
            return found if len(found) == count else None

        try:
            return until(found, f"{count} shown", 3)
        except Late:
            # Chromium does not say when it drops one, as it may while it starts the worker. A push service tries again.
            self.deliver()
            return until(found, f"{count} shown")

    def press(self, action=""):
        return self.screen.context.service_workers[0].evaluate(PRESS, action)


@pytest.fixture
def pushes(phone):
    return Pushes(phone)


@pytest.fixture
def asked(bare, phone, session):
    """What the daemon pushes about a request that is open."""
    session.bash("touch a")
    phone.card("touch a")
    request = bare.local.call("permission/pending")["requests"][0]["request_id"]
    return {"title": "proj: Bash", "body": "waits for your answer", "tag": f"cdev-{request}", "request_id": request,
            "url": f"{phone.base}/#request={request}", "silent": False}


def test_a_request_is_shown_and_its_end_takes_its_place_silently(pushes, asked):
    pushes.bring(asked)
    (first,) = pushes.shown(1)
    assert first == {key: asked[key] for key in ("title", "body", "tag", "silent", "request_id")}
    pushes.bring({**asked, "body": "answered by device laptop: deny", "silent": True})
    (second,) = until(lambda: [one for one in pushes.screen.page.evaluate(SHOWN) if one["silent"]], "the end")
    assert second["body"] == "answered by device laptop: deny" and second["tag"] == first["tag"]
    assert len(pushes.shown(1)) == 1


def test_what_the_daemon_encrypts_is_what_is_shown(pushes, sent):
    """Its own code made the message; another implementation read it, as a push service's browser would."""
    message = sent["browser"].read(decode(sent["body"]))
    pushes.bring(message)
    (only,) = pushes.shown(1)
    assert only == {"title": "work: Bash", "body": "touch ünïcode", "tag": "cdev-r_1", "silent": False, "request_id": "r_1"}


@pytest.mark.parametrize("message", ["no JSON", "", "null", "[]", '"words"', '{"title": 7, "body": {}, "tag": [], "silent": "x"}'])
def test_every_push_shows_something(pushes, message):
    pushes.bring(message)
    (only,) = pushes.shown(1)
    assert only["title"] == "cdev" and only["silent"] is False and only["request_id"] == ""


def test_pressed_it_shows_the_card_in_the_page_that_is_open(pushes, phone, asked):
    phone.tab("Devices")
    pushes.bring(asked)
    pushes.shown(1)
    assert pushes.press() == [["focus", "/"]]
    expect(phone.card("touch a")).to_be_focused()
    assert phone.page.evaluate(SHOWN) == []


ACTIONS = "async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ actions }) => actions.map(({ title }) => title))"


def test_deny_on_the_notification_denies(bare, phone, session):
    held = session.bash("touch a")
    phone.card("touch a")
    pushes = Pushes(phone)
    request = bare.local.call("permission/pending")["requests"][0]["request_id"]
    pushes.bring({"title": "proj: Bash", "body": "waits for your answer", "tag": f"cdev-{request}", "request_id": request, "silent": False})
    pushes.shown(1)
    assert phone.page.evaluate(ACTIONS) == [["Deny", "Open"]]
    assert pushes.press("deny") == []
    assert held.decision() == "deny"
    assert bare.history()[0]["resolved_by"] == "device phone"
    until(lambda: [one["body"] for one in phone.page.evaluate(SHOWN)] == ["Denied."], "the answer to be told")


def test_what_cannot_be_denied_any_more_is_said(pushes, bare, asked):
    pushes.bring(asked)
    pushes.shown(1)
    bare.ok("deny", asked["request_id"])
    pushes.press("deny")
    told = until(lambda: [one["body"] for one in pushes.screen.page.evaluate(SHOWN)], "the answer to be told")
    assert told[0].startswith("Not denied: ")
    assert pushes.screen.page.evaluate(ACTIONS) == [[]]


def test_open_on_the_notification_opens_the_card(pushes, phone, asked):
    phone.tab("Devices")
    pushes.bring(asked)
    pushes.shown(1)
    assert pushes.press("open") == [["focus", "/"]]
    expect(phone.card("touch a")).to_be_focused()


def test_pressed_it_takes_no_answer_page_for_the_page(pushes, phone, asked):
    other = phone.context.new_page()
    other.goto(phone.base + "/a")
    pushes.bring(asked)
    pushes.shown(1)
    assert pushes.press() == [["focus", "/"]]
    phone.page.goto(phone.base + "/a")
    pushes.bring(asked)
    pushes.shown(1)
    assert pushes.press() == [["open", f"/#request={asked['request_id']}"]]


def test_pressed_without_a_request_it_opens_the_page(pushes, phone):
    pushes.bring({"title": "cdev", "body": "This is a test: notifications arrive here", "tag": "cdev-test", "request_id": None,
                  "url": phone.base + "/", "silent": False})
    pushes.shown(1)
    phone.page.goto(phone.base + "/a")
    assert pushes.press() == [["open", "/"]]
