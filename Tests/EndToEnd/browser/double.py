"""A scripted daemon inside the browser's own network: for what takes ten thousand messages, or an answer on demand. The page
is the real one, read from `web/`; only what it asks comes from the test."""
import json
import mimetypes

from harness.daemon import REPOSITORY

WEB = REPOSITORY / "web"
SMALL = {"width": 360, "height": 740}
WIDE = {"width": 1280, "height": 800}
BASE = "http://page.test"
NOW = "2026-11-25T10:00:00Z"
TOKEN = "cdev_s_double"

# As the daemon sends it with each file.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws://page.test; "
          "manifest-src 'self'; worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
          "require-trusted-types-for 'script'; trusted-types worker")


class Refusal(Exception):
    """An error that a method answers."""

    def __init__(self, message, code=-32603, **data):
        super().__init__(message)
        self.error = {"code": code, "message": message, "data": data}


class Double:
    """Answers the page's calls: `methods` maps a name to a function of its parameters. `calls` holds what was asked."""

    def __init__(self, chromium, size, rights=("read", "decide", "report"), **options):
        self.calls, self.sockets, self.troubles = [], [], []
        self.screenshots = REPOSITORY / ".build" / "screenshots" / "project"
        # Parameters of methods that the page looks for, by method.
        self.parameters = {}
        # Methods that are heard and not answered.
        self.silent = set()
        # No WebSocket gets through.
        self.is_barred = False
        self.methods = {
            "initialize": lambda _: {"capabilities": {"permission": {"respond": "decide" in rights}}},
            "rpc.discover": lambda _: {"methods": [{"name": name, "params": [{"name": one} for one in self.parameters.get(name, [])]} for name in self.methods]},
            "permission/stats": lambda _: {"next_sequence": 1}, "permission/pending": lambda _: {"requests": [], "count": 0, "more": 0},
            "events/since": lambda _: {"events": [], "more": False, "next_sequence": 1}, "status/health": lambda _: {"status": "ok"},
            "device/list": lambda _: {"devices": [{"device_id": "d", "name": "phone", "own": True, "rights": list(rights)}]},
            "hook/sessions": lambda _: {"sessions": []},
        }
        touch = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2} if size["width"] < 500 else {}
        self.context = chromium.new_context(viewport=size, **touch, **options)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", lambda message: self.troubles.append(message.text) if message.type == "error" and "net::ERR" not in message.text else None)
        self.page.route(f"{BASE}/**", self._serve)
        self.page.route_web_socket("ws://page.test/ws", self._connect)

    def _serve(self, route):
        path = route.request.url.removeprefix(BASE).split("?")[0].split("#")[0]
        if path == "/rpc":
            return route.fulfill(json=self._answer(json.loads(route.request.post_data)))
        file = WEB / ("index.html" if path == "/" else path[1:])
        if not file.is_file():
            return route.fulfill(status=404)
        kind = "text/javascript" if file.suffix == ".js" else mimetypes.guess_type(file.name)[0]
        return route.fulfill(body=file.read_bytes(), content_type=kind, headers={"Content-Security-Policy": POLICY})

    def _connect(self, socket):
        if self.is_barred:
            return socket.close()
        self.sockets.append(socket)
        socket.on_message(lambda text: self._hear(socket, json.loads(text)))

    def _hear(self, socket, request):
        answer = self._answer(request)
        if request["method"] not in self.silent:
            socket.send(json.dumps(answer))

    def _answer(self, request):
        name, params = request["method"], request.get("params") or {}
        self.calls.append((name, params))
        answer = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            if name not in self.methods:
                raise Refusal("there is no such method", -32601)
            return {**answer, "result": self.methods[name](params)}
        except Refusal as refusal:
            return {**answer, "error": refusal.error}

    def say(self, event, **params):
        """An event to the page that is connected now."""
        self.sockets[-1].send(json.dumps({"jsonrpc": "2.0", "method": f"event/{event}", "params": {"session_id": "", "workspace_id": "", "timestamp": NOW, **params}}))

    def asked(self, name):
        return [params for method, params in self.calls if method == name]

    def drop(self):
        """The connection goes."""
        self.sockets[-1].close()

    def open(self, fragment=""):
        """The page, paired, at that place."""
        self.page.goto(BASE + "/")
        self.page.evaluate("""token => new Promise((done, fail) => {
          const opening = indexedDB.open('cdev', 1);
          opening.onupgradeneeded = () => opening.result.createObjectStore('kept');
          opening.onerror = fail;
          opening.onsuccess = () => {
            const change = opening.result.transaction('kept', 'readwrite');
            change.objectStore('kept').put({ access: token }, 'tokens');
            change.oncomplete = () => { opening.result.close(); done(); };
          };
        })""", TOKEN)
        self.page.goto("about:blank")
        self.page.goto(f"{BASE}/{fragment}")
        self.page.wait_for_function("() => document.body.dataset.phase === 'online'")
        return self

    def picture(self, name):
        self.screenshots.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=str(self.screenshots / f"{name}.png"))
