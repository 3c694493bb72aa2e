"""Sleep, a network that goes, a daemon that restarts: the page never shows as open what may not be."""
import json
import re

from playwright.sync_api import expect

from harness.waiting import until


def buttons_are_off(screen):
    for button in screen.page.locator(".acts button").all():
        expect(button).to_be_disabled()


def test_without_the_daemon_it_says_so_and_nothing_can_be_pressed(phone, bare, session):
    held = session.bash("touch a")
    phone.card("touch a")
    held.hang_up()
    phone.tidied()
    session.bash("touch b")
    card = phone.card("touch b")
    bare.stop()
    phone.is_phase("offline")
    expect(phone.page.get_by_role("alert")).to_contain_text("Offline since")
    expect(card).to_contain_text("It may have been answered since")
    buttons_are_off(phone)
    phone.page.keyboard.press("j")
    phone.page.keyboard.press("a")
    bare.start()
    phone.online()
    expect(phone.page.get_by_role("alert")).not_to_be_visible()


def test_a_request_held_over_a_restart_is_answered_after_it(phone, bare, session):
    first = session.bash("touch a")
    phone.card("touch a")
    bare.kill()
    phone.is_phase("offline")
    bare.start()
    # As the relay does: the same call again, with the same number.
    held = session.call("Bash", first.payload["tool_input"], tool_use_id=first.tool_use_id, request=first.request)
    phone.online()
    phone.answer("touch a", "Allow once")
    assert held.decision() == "allow"


def test_what_ended_while_away_is_not_shown_as_open(phone_behind, proxy, bare, session):
    held, other = session.bash("touch a"), session.bash("touch b")
    expect(phone_behind.cards()).to_have_count(2)
    proxy.cut()
    phone_behind.is_phase("offline")
    bare.local.call("permission/respond", {"tool_use_id": held.tool_use_id, "decision": "deny"})
    proxy.mend()
    phone_behind.tries_now()
    expect(phone_behind.page.locator(".card.ended")).to_contain_text("Denied by somebody at the computer")
    phone_behind.answer("touch b", "Allow once")
    assert other.decision() == "allow"


def test_what_came_while_away_is_there_afterwards(phone_behind, proxy, session):
    proxy.cut()
    phone_behind.is_phase("offline")
    # Nobody is connected, so the call is not held for long; a dialog stays open.
    proxy.mend()
    phone_behind.tries_now()
    held = session.bash("touch a")
    phone_behind.answer("touch a", "Deny")
    assert held.decision() == "deny"


def test_an_answer_on_its_way_when_the_connection_goes_arrives_after_all(phone_behind, laptop, proxy, session):
    held = session.bash("touch a")
    card = phone_behind.card("touch a")
    proxy.stall()
    phone_behind.press(card, "Allow once")
    expect(card).to_contain_text("Sending…")
    proxy.cut()
    expect(card).to_contain_text("Not confirmed")
    buttons_are_off(phone_behind)
    proxy.mend()
    phone_behind.tries_now()
    phone_behind.has_said("Allowed by you")
    assert held.decision() == "allow"


def test_a_silent_connection_is_a_dead_one(screens, proxy, session):
    phone = screens("phone", port=proxy.port)
    phone.page.clock.install()
    phone.paired()
    session.bash("touch a")
    phone.page.clock.run_for(600)
    phone.card("touch a")
    proxy.stall()
    # From here on no time passes for the page but what is said here, however slow the machine is.
    phone.page.clock.pause_at(phone.page.evaluate("Date.now()") / 1000 + 5)
    silent = phone.page.evaluate("Date.now() - cdev.link.heard")
    phone.page.clock.fast_forward(44_000 - silent)
    phone.is_phase("online")
    # Replies are no events, and may have come later than the last of those.
    phone.page.clock.fast_forward(2_000 + silent)
    expect(phone.page.locator("body")).to_have_attribute("data-phase", re.compile("offline|connecting"))
    buttons_are_off(phone)
    proxy.mend()
    phone.page.clock.resume()
    phone.online()


def test_back_from_sleep_it_asks_before_anything_can_be_pressed(phone_behind, proxy, bare, session):
    held = session.bash("touch a")
    phone_behind.card("touch a")
    proxy.stall()
    bare.local.call("permission/respond", {"tool_use_id": held.tool_use_id, "decision": "deny"})
    # Asleep for an hour, as far as the page can tell.
    phone_behind.page.evaluate("() => { cdev.link.heard -= 3600e3; document.dispatchEvent(new Event('visibilitychange')); }")
    phone_behind.is_phase("connecting")
    buttons_are_off(phone_behind)
    proxy.mend()
    phone_behind.online()
    expect(phone_behind.page.locator(".card.ended")).to_contain_text("Denied")


def test_no_network_is_noticed_at_once(phone):
    phone.page.evaluate("() => { window.said = []; cdev.link.addEventListener('phase', () => said.push(cdev.link.reason)); }")
    # On this machine a connection comes about all the same, so offline is not for long.
    phone.page.evaluate("() => dispatchEvent(new Event('offline'))")
    phone.page.wait_for_function("() => said.includes('this device has no network')")
    phone.online()


def test_a_network_that_is_back_is_tried_at_once(phone_behind, proxy, session):
    proxy.cut()
    phone_behind.is_phase("offline")
    # Nothing else brings it back: neither its own next try nor one that is under way.
    phone_behind.page.evaluate("() => { clearTimeout(cdev.link.retry); cdev.link.turn += 1; }")
    proxy.mend()
    phone_behind.page.evaluate("() => dispatchEvent(new Event('online'))")
    phone_behind.online()
    held = session.bash("touch a")
    phone_behind.answer("touch a", "Deny")
    assert held.decision() == "deny"


def test_it_tries_again_after_longer_and_longer_pauses(phone):
    pauses = phone.page.evaluate("""() => {
      const wait = window.setTimeout, { link } = cdev, pauses = [];
      let last = 0;
      window.setTimeout = (act, time) => { last = time; return 0; };
      for (let number = 0; number < 8; number += 1) {
        link.lost("made up");
        pauses.push(last);
      }
      window.setTimeout = wait;
      link.connect();
      return pauses;
    }""")
    for pause, wanted in zip(pauses, [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000], strict=True):
        # Not all pages at once.
        assert 0.8 * wanted <= pause <= 1.2 * wanted, pauses
    phone.online()
    assert phone.page.evaluate("() => cdev.link.attempts") == 0


def test_where_no_websocket_gets_through_it_asks_again_and_again(screens, proxy, session, laptop):
    proxy.blocks_websocket = True
    phone = screens("phone", port=proxy.port).paired()
    expect(phone.page.locator(".link")).to_contain_text("without WebSocket")
    held = session.bash("touch a")
    phone.answer("touch a", "Allow once")
    assert held.decision() == "allow"
    session.bash("touch b")
    phone.card("touch b")
    laptop.answer("touch b", "Deny")
    expect(phone.page.locator(".card.ended").filter(has_text="Denied")).to_contain_text("Denied by laptop")
    expect(phone.page.locator(".news")).to_contain_text("No WebSocket gets through")
    phone.tab("Devices")
    expect(phone.page.locator(".this-device")).to_contain_text("Something between here and the computer blocks it.")
    phone.page.get_by_role("button", name="Dismiss").click()
    expect(phone.page.locator(".news")).not_to_be_visible()


def test_the_websocket_is_taken_as_soon_as_one_gets_through(screens, proxy, session):
    proxy.blocks_websocket = True
    phone = screens("phone", port=proxy.port).paired()
    link = phone.page.locator(".link")
    expect(link).to_have_text("Connected, without WebSocket")
    # What its clock does each minute. With the clock of the browser turned on, the calls that wait would end too.
    knock = "() => { const { probe } = cdev.link; window.turn = probe.turn; clearTimeout(probe.timer); return probe.knock(probe.turn); }"
    assert phone.page.evaluate("() => cdev.link.probe.timer > 0")
    phone.page.evaluate(knock)
    phone.page.wait_for_function("() => cdev.link.probe.turn > turn")
    expect(link).to_have_text("Connected, without WebSocket")
    proxy.blocks_websocket = False
    phone.page.evaluate(knock)
    expect(link).to_have_text("Connected")
    expect(phone.page.locator(".news")).not_to_be_visible()
    held = session.bash("touch a")
    phone.answer("touch a", "Deny")
    assert held.decision() == "deny"
    assert phone.page.evaluate("() => cdev.link.way.constructor.name") == "Socket"


def presences(screen):
    """What the page tells about the person before it, as it is sent."""
    told = []

    def sent(frame):
        message = json.loads(frame)
        if message.get("method") == "client/presence":
            told.append(message["params"])

    screen.page.on("websocket", lambda socket: socket.on("framesent", sent))
    return told


def test_connecting_again_is_no_sign_of_a_person(screens, proxy):
    phone = screens("phone", port=proxy.port)
    told = presences(phone)
    phone.page.clock.install()
    phone.paired()
    until(lambda: phone.page.evaluate("() => 1") and told, "the first presence")
    assert told[-1]["visible"] is True and told[-1]["input_seconds"] < 5
    # Cards that come and go scroll the page, which is nobody's doing.
    phone.page.evaluate("() => dispatchEvent(new Event('scroll'))")
    before = len(told)
    phone.page.clock.fast_forward(100_000)
    until(lambda: phone.page.clock.run_for(1000) or len(told) > before, "a presence after the silence")
    assert 100 <= told[-1]["input_seconds"] < 200
    phone.online()
    phone.page.clock.fast_forward(31_000)
    count = len(told)
    phone.page.keyboard.press("Shift")
    until(lambda: phone.page.evaluate("() => 1") and len(told) > count, "a presence after a key")
    assert told[-1]["input_seconds"] == 0


def test_a_revoked_token_ends_at_the_way_in(phone, bare):
    bare.ok("token", "revoke", "phone")
    expect(phone.page.get_by_role("heading", name="Pair this device")).to_be_visible()
    expect(phone.page.get_by_text("revoked")).to_be_visible()
    phone.page.reload()
    phone.page.get_by_label("Code, link or token").fill(bare.token("again"))
    phone.page.get_by_role("button", name="Pair").click()
    phone.online()


PUSH = """Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
navigator.serviceWorker.getRegistration = async () => ({ pushManager: { getSubscription: async () => ({
  toJSON: () => ({ endpoint: 'https://push.example.com/made-up', keys: {} }), unsubscribe: async () => { window.unsubscribed = true; } }) } });"""


def test_a_subscription_is_told_again_at_each_connection_and_ends_with_the_token(phone, bare):
    phone.needs("push/subscribe")
    sent = []
    phone.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    phone.page.add_init_script(PUSH)
    phone.page.reload()
    phone.online()
    phone.page.wait_for_function("() => cdev.features.methods.size")
    phone.tab("Devices")
    assert any("push/subscribe" in frame and "made-up" in frame for frame in sent)
    bare.ok("token", "revoke", "phone")
    phone.page.wait_for_function("() => window.unsubscribed")


def test_a_wrong_token_is_refused_in_words(screens):
    phone = screens()
    phone.open()
    for text, said in (("cdev_s_wrong", "unknown or was revoked"), ("hello", "neither a code of 8 characters nor a pairing link")):
        phone.page.get_by_label("Code, link or token").fill(text)
        phone.page.get_by_role("button", name="Pair").click()
        expect(phone.page.locator("body")).to_contain_text(said)
