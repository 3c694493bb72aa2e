"""How a browser becomes a device: by the printed URL, by a typed code, and how it stays one."""
import pytest
from playwright.sync_api import expect

from harness.waiting import until

TOKENS = """() => new Promise((resolve) => { const opening = indexedDB.open('cdev', 1);
  opening.onsuccess = () => { const reading = opening.result.transaction('kept').objectStore('kept').get('tokens');
    reading.onsuccess = () => { opening.result.close(); resolve(reading.result); }; }; })"""


def offer(bare, **params):
    return bare.local.call("pair/start", params)


def paired_by(screens, bare, **params):
    phone = screens()
    phone.page.goto(offer(bare, **params)["url"].replace("localhost", "127.0.0.1"))
    return phone.online()


def test_the_printed_url_is_enough(screens, bare, session):
    phone = paired_by(screens, bare, name="my phone")
    assert "#pair" not in phone.page.url and "cdev_p_" not in phone.page.url
    held = session.bash("touch a")
    phone.answer("touch a", "Allow once")
    assert held.decision() == "allow"
    assert bare.history()[0]["resolved_by"] == "device my phone"
    phone.tab("Devices")
    expect(phone.page.get_by_role("heading", name="All devices")).to_be_visible()
    expect(phone.page.locator(".list")).to_contain_text("my phone")
    phone.picture("devices")
    phone.page.reload()
    phone.online()


# Storage that takes a request and never answers, for as long as `hangs`.
HANGING = """globalThis.hangs = true; globalThis.asked = 0;
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (...all) { globalThis.asked += 1; return globalThis.hangs ? {} : open.apply(this, all); };"""


def test_storage_that_does_not_answer_is_said_and_asked_again(screens, bare):
    phone = screens()
    phone.page.clock.install()
    phone.page.add_init_script(HANGING)
    phone.open()
    field, state = phone.page.locator(".pair input"), phone.page.locator(".pair .state")

    def silence(times):
        phone.page.wait_for_function("times => asked === times", arg=times)
        phone.page.clock.run_for(5000)

    silence(1)
    expect(state).to_contain_text("storage does not answer")
    expect(field).to_be_disabled()
    phone.page.wait_for_function("asked === 2")
    phone.page.evaluate("hangs = false")
    silence(2)
    expect(field).to_be_enabled()
    expect(state).to_be_empty()
    phone.page.evaluate("hangs = true")
    url = offer(bare)["url"]
    field.fill(url)
    phone.page.get_by_role("button", name="Pair").click()
    silence(4)
    expect(state).to_contain_text("storage does not answer")
    phone.page.evaluate("hangs = false")
    phone.page.clock.resume()
    phone.page.get_by_role("button", name="Pair").click()
    phone.online()  # the link was not used up


def test_storage_that_is_refused_is_said_and_uses_no_link_up(screens, bare):
    phone = screens()
    phone.page.add_init_script("IDBFactory.prototype.open = () => { throw new Error('blocked here'); };")
    phone.open()
    phone.page.locator(".pair input").fill(offer(bare)["url"])
    phone.page.get_by_role("button", name="Pair").click()
    expect(phone.page.locator(".pair .state")).to_contain_text("keeps nothing for this page: blocked here")
    assert bare.local.call("device/list")["devices"] == []


def test_a_link_is_good_once(screens, bare):
    url = offer(bare)["url"]
    for name, lets_in in (("first", True), ("second", False)):
        phone = screens(name)
        phone.page.goto(url)
        if lets_in:
            phone.online()
        else:
            expect(phone.page.locator(".pair .state")).to_contain_text("used already")


def test_a_link_opened_in_a_tab_that_is_open_is_used_and_leaves_the_address_bar(screens, bare, session):
    phone = paired_by(screens, bare, name="first")
    token = offer(bare, name="second")["url"].partition("#")[2]
    phone.page.evaluate("hash => { location.hash = hash; }", token)
    phone.page.wait_for_function(f"async () => (await ({TOKENS})()).deviceName === 'second'")
    assert "#pair" not in phone.page.url and "cdev_p_" not in phone.page.url
    # Between the two devices there is no approver for a moment, and a call that comes just then is passed on.
    until(lambda: connected(bare) == ["second"], "the page to be connected as the second device")
    held = session.bash("touch a")
    phone.answer("touch a", "Deny")
    assert held.decision() == "deny"
    assert bare.history()[0]["resolved_by"] == "device second"


def connected(bare):
    return [device["name"] for device in bare.local.call("device/list")["devices"] if device.get("connected")]


def test_a_used_link_opened_in_a_tab_says_so(screens, bare):
    url = offer(bare)["url"]
    phone = screens()
    phone.page.goto(url)
    phone.online()
    phone.page.evaluate("hash => { location.hash = hash; }", url.partition("#")[2])
    expect(phone.page.locator(".pair .state")).to_contain_text("used already")
    assert "cdev_p_" not in phone.page.url


def typed(screens, bare):
    """A phone where a code was typed, and the request that waits at the computer."""
    made = offer(bare, name="typed")
    phone = screens().open()
    phone.page.get_by_label("Code, link or token").fill(made["code"].lower())
    phone.page.get_by_role("button", name="Pair").click()
    expect(phone.page.locator(".pair .state")).to_contain_text("answer “y” where cdev pair waits")
    expect(phone.page.locator(".pair .state")).to_contain_text("cdev pair approve")
    phone.picture("waiting")
    return phone, bare.local.call("pair/pending")["requests"][0]["request_id"]


def test_a_typed_code_is_confirmed_at_the_computer(screens, bare):
    phone, request = typed(screens, bare)
    bare.local.call("pair/approve", {"request_id": request})
    phone.online()


def test_a_typed_code_is_refused_at_the_computer(screens, bare):
    phone, request = typed(screens, bare)
    bare.local.call("pair/reject", {"request_id": request})
    expect(phone.page.locator(".pair .state")).to_contain_text("said no")
    expect(phone.page.get_by_role("button", name="Pair")).to_be_enabled()


def test_a_wrong_code_says_how_many_tries_are_left(screens, bare):
    code = offer(bare)["code"]
    phone = screens().open()
    wrong = "".join("2" if letter != "2" else "3" for letter in code.replace("-", ""))
    phone.page.get_by_label("Code, link or token").fill(wrong)
    phone.page.get_by_role("button", name="Pair").click()
    expect(phone.page.locator(".pair .state")).to_contain_text("more tries")


def test_a_pasted_link_pairs(screens, bare):
    phone = screens().open()
    phone.page.get_by_label("Code, link or token").fill(offer(bare)["url"])
    phone.page.get_by_role("button", name="Pair").click()
    phone.online()


def test_a_token_is_changed_before_it_ends_and_by_one_tab_only(screens, bare):
    phone = paired_by(screens, bare)
    before = phone.page.evaluate(TOKENS)
    phone.page.evaluate("""(tokens) => new Promise((resolve) => { const opening = indexedDB.open('cdev', 1);
      opening.onsuccess = () => { const writing = opening.result.transaction('kept', 'readwrite');
        writing.objectStore('kept').put({...tokens, expires: Date.now() - 1}, 'tokens'); writing.oncomplete = () => { opening.result.close(); resolve(); }; }; })""", before)
    asked = []
    phone.context.on("request", lambda request: asked.append(request.url) if "/api/auth/refresh" in request.url else None)
    other = phone.context.new_page()
    other.goto(phone.base)
    phone.page.reload()
    phone.online()
    expect(other.locator("body")).to_have_attribute("data-phase", "online")
    after = phone.page.evaluate(TOKENS)
    assert after["access"] != before["access"] and after["refresh"] != before["refresh"]
    assert len(asked) == 1


def test_a_revoked_device_is_out_at_once(screens, bare):
    phone = paired_by(screens, bare, name="lost")
    device = next(d for d in bare.local.call("device/list")["devices"] if d["name"] == "lost")
    bare.local.call("device/revoke", {"device_id": device["device_id"]})
    expect(phone.page.get_by_role("heading", name="Pair this device")).to_be_visible()


def test_it_revokes_itself(screens, bare):
    phone = paired_by(screens, bare, name="mine")
    phone.tab("Devices")
    phone.page.get_by_role("button", name="Revoke mine").click()
    phone.page.get_by_role("button", name="Revoke it? mine").click()
    expect(phone.page.get_by_role("heading", name="Pair this device")).to_be_visible()
    assert "mine" not in [d["name"] for d in bare.local.call("device/list")["devices"]]
    phone.page.wait_for_function(f"async () => !(await ({TOKENS})())")


def test_a_device_that_only_views_has_nothing_to_press(screens, bare, phone, session):
    viewer = screens("viewer")
    viewer.page.goto(offer(bare, rights="view")["url"])
    viewer.online()
    held = session.bash("touch a")
    card = viewer.card("touch a")
    expect(card).to_contain_text("This device only views.")
    expect(card.locator(".acts button:visible")).to_have_count(0)
    card.focus()
    viewer.page.keyboard.press("a")
    phone.answer("touch a", "Deny")
    assert held.decision() == "deny"
    expect(viewer.page.locator(".card.ended")).to_contain_text("Denied by phone")


def test_a_device_that_only_views_is_offered_nothing_it_may_not_do(screens, bare, phone, session):
    viewer = screens("viewer")
    viewer.page.goto(offer(bare, name="viewer", rights="view")["url"])
    viewer.online()
    session.bash("touch a")
    phone.answer("touch a", "Allow for session")
    for screen, count in ((viewer, 0), (phone, 1)):
        screen.tab("Rules")
        expect(screen.page.locator(".item")).to_contain_text("Bash(touch:*)")
        expect(screen.page.get_by_role("button", name="Revoke")).to_have_count(count)
        screen.tab("Devices")
        expect(screen.page.locator(".list")).to_contain_text("this one")
        expect(screen.page.get_by_text("Notifications", exact=True)).to_have_count(count)
        expect(screen.page.get_by_role("button", name="Revoke")).to_have_count(count)
        expect(screen.page.get_by_role("button", name="Sign out")).to_have_count(1)
    expect(viewer.page.locator(".news")).not_to_be_visible()


def test_a_network_that_comes_back_lets_nobody_in_again(phone):
    assert phone.page.evaluate("""() => {
      cdev.link.detour = "no WebSocket";
      cdev.link.leave("This device was revoked.");
      dispatchEvent(new Event("online"));
      return cdev.link.phase;
    }""") == "out"
    expect(phone.page.locator(".pair")).to_contain_text("This device was revoked.")


@pytest.mark.parametrize("path", ["/", "/manifest.webmanifest"])
def test_no_token_is_in_what_gets_installed(phone, path):
    assert "cdev_" not in phone.page.evaluate("path => fetch(path).then((answer) => answer.text())", path)
