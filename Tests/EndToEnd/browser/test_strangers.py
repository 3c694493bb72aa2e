"""Pages of others in the very browser that is paired: on another site, another port of this host, and under a rebound name."""
import http.server
import threading

import pytest
from playwright.sync_api import expect

# Everything a page could try, with a token that is good: that it has one must not help it either.
TRY = """async ([base, token]) => {
  const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "permission/pending" });
  const hook = JSON.stringify({ session_id: "stranger", hook_event_name: "SessionStart", cwd: "/tmp" });
  const json = { "Content-Type": "application/json" };
  const asks = {
    rpc: ["/rpc", { method: "POST", body: call, headers: { ...json, Authorization: `Bearer ${token}` } }],
    simple: ["/rpc", { method: "POST", body: call, credentials: "include" }],
    info: ["/api/pair/info", {}],
    exchange: ["/api/auth/exchange", { method: "POST", body: "{}", headers: json }],
    link: ["/a", { method: "POST", body: "{}", headers: json }],
    hook: ["/hooks/claude", { method: "POST", body: hook, headers: json }],
    blind: ["/hooks/claude", { method: "POST", body: hook, mode: "no-cors" }],
  };
  const said = {};
  for (const [name, [path, options]] of Object.entries(asks))
    said[name] = await fetch(base + path, options).then((answer) => answer.status, () => "refused");
  said.socket = await new Promise((done) => {
    const socket = new WebSocket(`${base.replace("http", "ws")}/ws`, ["cdev", `cdev.token.${token}`]);
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
  });
  said.kept = [(await indexedDB.databases()).length, (await caches.keys().catch(() => [])).length, document.cookie];
  return said;
}"""


@pytest.fixture
def elsewhere(box):
    """The port of a server of somebody else's, and what it was sent."""
    fields = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            fields.append(dict(self.headers.items()))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>somebody else's</title>")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    box.on_close(server.server_close)
    box.on_close(server.shutdown)
    return server.server_port, fields


def left_alone(bare):
    """No hook of theirs was taken, and nobody was let in."""
    assert bare.local.call("hook/sessions")["sessions"] == []
    assert [device["name"] for device in bare.local.call("device/list")["devices"]] == ["other", "phone"]


@pytest.mark.parametrize("host", ["127.0.0.1", "elsewhere.localhost"])
def test_a_page_of_another_port_or_site_gets_nothing(phone, bare, elsewhere, host):
    port, fields = elsewhere
    page = phone.context.new_page()
    page.goto(f"http://{host}:{port}/")
    said = page.evaluate(TRY, [phone.base, bare.token("other")])
    # An answer to a question that a page may ask blindly is kept from it: 0.
    assert said.pop("blind") == 0
    assert said.pop("kept") == [0, 0, ""]
    assert set(said.values()) == {"refused"}, said
    assert fields and not any(name.lower() in ("cookie", "authorization") for one in fields for name in one)
    left_alone(bare)


def test_a_name_that_was_rebound_to_this_machine_gets_nothing(phone, bare):
    page = phone.context.new_page()
    base = f"http://rebound.localhost:{bare.port}"
    # Its own server answered first; from here on the name leads to the daemon.
    page.route(base + "/", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.goto(base + "/")
    said = page.evaluate(TRY, [base, bare.token("other")])
    assert said.pop("socket") == "refused" and said.pop("kept") == [0, 0, ""]
    assert set(said.values()) == {421}, said
    left_alone(bare)
    page.unroute(base + "/")
    assert page.goto(base + "/").status == 421


def test_a_page_that_frames_ours_shows_nothing_of_it(screens):
    phone = screens().open()
    expect(phone.page.get_by_role("heading", name="Pair this device")).to_be_visible()
    phone.page.goto("about:blank")
    phone.page.evaluate("""base => new Promise((done) => {
      const frame = document.createElement('iframe');
      frame.onload = () => done();
      frame.src = base;
      document.body.append(frame);
    })""", phone.base)
    (frame,) = phone.page.main_frame.child_frames
    assert frame.url.startswith("chrome-error:"), frame.url
    expect(frame.get_by_role("heading", name="Pair this device")).to_have_count(0)
    phone.troubles.clear()
