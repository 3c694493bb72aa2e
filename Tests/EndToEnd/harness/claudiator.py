"""The Claudiator app and its hook, as they speak to their server."""
import datetime
import functools
import json
import re

from . import http1, tls

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
# What the app cannot do without, by list; the types are those of its models.
NEEDED = {
    "devices": {"device_id": str, "device_name": str, "platform": str, "first_seen": str, "last_seen": str,
                "active_sessions": int},
    "sessions": {"session_id": str, "device_id": str, "started_at": str, "last_event": str, "status": str},
    "events": {"id": int, "hook_event_name": str, "timestamp": str},
    "notifications": {"id": str, "session_id": str, "device_id": str, "title": str, "body": str,
                      "notification_type": str, "created_at": str},
}


class Hook:
    """Sends what `claudiator-hook` sends: seven members of a hook's input, none of them null."""
    SENT = "session_id", "hook_event_name", "cwd", "prompt", "notification_type", "tool_name", "message"

    def __init__(self, address, token, device="550e8400-e29b-41d4-a716-446655440000", name="box", platform="linux",
                 base="/api/v1", trust=None):
        """With `trust`, the context of a TLS client, it reports over TLS."""
        self.address, self.token, self.base = address, token, base
        self.ask = functools.partial(tls.ask, address, trust) if trust else functools.partial(http1.ask, address)
        self.device = {"device_id": device, "device_name": name, "platform": platform}

    def send(self, event, session="s1", timestamp=None, **members):
        members = {"session_id": session, "hook_event_name": event, **members}
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        body = {"device": self.device, "event": {key: members[key] for key in self.SENT if key in members},
                "timestamp": timestamp or now}
        return self.ask("POST", f"{self.base}/events", body, {
            "Accept": "*/*", "Content-Type": "application/json", "Authorization": f"Bearer {self.token}",
            "User-Agent": "claudiator-hook/0.3.1", "accept-encoding": "gzip"})

    def sent(self, event, **members):
        answer = self.send(event, **members)
        assert (answer.status, answer.json) == (200, {"status": "ok"}), answer


def report_by_http(box, url, **machine):
    """Adds hooks of the type `http` to Claude's settings in this sandbox; their token is the variable CDEV_REPORTS. The
    client sends no SessionStart by such hooks."""
    entry = {
        "type": "http", "url": url, "timeout": 5, "allowedEnvVars": ["CDEV_REPORTS"],
        "headers": {"Authorization": "Bearer $CDEV_REPORTS", "X-Claudiator-Device-Id": machine["device"],
                    "X-Claudiator-Device-Name": machine["name"], "X-Claudiator-Platform": "linux"}}
    settings = json.loads(box.settings.read_text())
    for event in "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "Notification", "Stop", "SessionEnd":
        settings["hooks"].setdefault(event, []).append({"hooks": [entry]})
    box.settings.write_text(json.dumps(settings))


class App:
    """Polls by versions, and sends each POST a second time, as URLSession does when an answer is lost."""

    def __init__(self, address, token, base="/api/v1"):
        self.address, self.token, self.base = address, token, base
        self.seen_version, self.last, self.shown = None, None, []

    def ask(self, method, path, body=b""):
        return http1.ask(self.address, method, self.base + path, body, {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})

    def get(self, path):
        answer = self.ask("GET", path)
        assert answer.status == 200, answer
        return answer.json

    def post(self, path, body):
        answers = [self.ask("POST", path, body) for _ in range(2)]
        assert [(answer.status, answer.json) for answer in answers] == [(200, {"status": "ok"})] * 2, answers

    def list(self, name, path=None):
        rows = self.get(path or f"/{name}")[name]
        for row in rows:
            for key, kind in NEEDED[name].items():
                assert type(row[key]) is kind, (key, row)
        return rows

    def poll(self):
        """The notifications that are new since the poll before."""
        version = self.get("/ping")["notification_version"]
        if version == self.seen_version:
            return []
        self.seen_version = version
        # The time is not encoded.
        new = self.list("notifications", "/notifications?limit=50" + (f"&after={self.last}" if self.last else ""))
        self.shown += new
        if new:
            self.last = new[-1]["created_at"]
        return new
