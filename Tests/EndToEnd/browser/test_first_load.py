"""The time that a phone far away waits for the page when it opens it for the first time."""
import re
import time

from playwright.sync_api import expect

# A slow mobile network: 400 ms for each answer, 1.6 Mbit/s down, 750 kbit/s up.
FAR = {"offline": False, "latency": 400, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
# Milliseconds from the address to something that can be used; the first number of `performance` is free of the harness.
LIMIT = 2500


def far(screen):
    devtools = screen.context.new_cdp_session(screen.page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", FAR)
    return screen


def test_the_first_load_is_a_matter_of_two_seconds_and_a_half(screens, bare, record_property):
    phone = far(screens())
    asked = []
    phone.page.on("request", lambda request: asked.append(request.url))
    begun = time.monotonic()
    phone.open()
    expect(phone.page.get_by_role("heading", name="Pair this device")).to_be_visible()
    took = round((time.monotonic() - begun) * 1000)
    shown = round(phone.page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    print(f"first load at 400 ms latency: form after {took} ms, first paint after {shown} ms, {len(asked)} files")
    record_property("first_load_ms", took)
    scripts = [url for url in asked if re.search(r"/js/", url)]
    assert scripts == [phone.base + "/js/main.js"], "one script brings all of them"
    assert shown < LIMIT
    assert took < LIMIT * 2, "with the harness's own time"


def test_it_pairs_and_shows_what_is_open_soon_after(screens, bare, session):
    phone = far(screens())
    begun = time.monotonic()
    phone.page.goto(bare.local.call("pair/start", {})["url"].replace("localhost", "127.0.0.1"))
    phone.online()
    print(f"from the link to online at 400 ms latency: {round((time.monotonic() - begun) * 1000)} ms")
