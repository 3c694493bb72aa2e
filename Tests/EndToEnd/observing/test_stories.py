"""The stories of a phone that observes: it connects, reads and follows a session, is one of several, and comes back."""
import pytest

from harness import http1, openrpc
from harness.checks import bearer, includes, refused
from harness.proxy import Proxy
from harness.waiting import await_condition, until

pytestmark = pytest.mark.real_cli


class Reader:
    """What a phone shows of one session: it pages what there is, watches what comes, and does both again when it is back."""

    def __init__(self, session_id):
        self.session_id, self.shown, self.device = session_id, [], None

    def at(self, device, meanwhile=lambda: None):
        """From now on through this connection. Of an earlier one only what had arrived counts. `meanwhile` happens between
        the last page and the watch."""
        self._keep()
        self.device = device
        self._page()
        meanwhile()
        includes(device.call("workspace/session/watch", {"session_id": self.session_id}), watching=True)
        return self

    def _page(self, limit=3):
        while True:
            page = self.device.call("workspace/session/messages", {
                "session_id": self.session_id, "limit": limit, "offset": len(self.shown), "order": "asc"})
            self.shown += [message["uuid"] for message in page["messages"]]
            if not page["has_more"]:
                return

    def _live(self):
        return [m["uuid"] for m in self.device.heard("claude_message", session_id=self.session_id)] if self.device else []

    def _keep(self):
        self.shown += self._live()

    def uuids(self):
        return self.shown + self._live()

    def shows(self, uuids):
        """Waits until it shows so many messages, and they are these in this order."""
        def has_them():
            return len(self.uuids()) >= len(uuids)

        await_condition(self.device.changed, has_them, lambda: f"{len(uuids)} messages; has {self.uuids()}")
        self.device.settle()
        assert self.uuids() == uuids


def test_quick_start(bare, device, repository, workspace, transcript):
    transcript.write()
    assert http1.ask(bare.tcp, "GET", "/health").json["status"] == "ok"
    assert http1.ask(bare.tcp, "GET", "/swagger/").status == 200
    token = bare.local.call("token/create", {"name": "reader", "rights": "view"})["token"]
    document = http1.ask(bare.tcp, "GET", "/api/rpc/discover", headers=bearer(token)).json
    assert openrpc.faults(document, openrpc.META) == []
    phone, tablet = device("phone"), device("tablet")
    assert phone.hello["clientId"] and phone.hello["clientId"] != tablet.hello["clientId"]
    assert phone.hello["capabilities"]["agent"] == {
        "run": False, "stop": False, "respond": True, "sessions": True, "sessionWatch": True}
    (found,) = phone.call("workspace/list", {})["workspaces"]
    includes(found, id=workspace, name="my-project", path=str(repository.path), has_active_session=False)
    (session,) = found["sessions"]
    includes(session, id=transcript.id, status="historical", message_count=len(transcript.uuids()), viewers=[])
    offered = {method["name"] for method in document["methods"]}
    assert offered >= {"session/start", "session/stop", "session/send", "session/respond"}
    refused(phone, "session/start", {"workspace_id": workspace}, -32600)


def test_a_session_is_read_and_followed_until_the_phone_leaves(device, workspace, transcript):
    transcript.write(transcript.beginning)
    phone, other = device("phone"), device("other")
    (listed,) = phone.call("workspace/session/history", {"workspace_id": workspace, "limit": 20})["sessions"]
    reader = Reader(listed["session_id"]).at(phone)
    first = transcript.uuids()
    reader.shows(first)
    while transcript.written < len(transcript.lines):
        transcript.write(1)
        reader.shows(transcript.uuids())
    assert len(transcript.uuids()) > len(first)
    numbers = [message["id"] for message in phone.heard("claude_message")]
    assert numbers == list(range(len(first) + 1, len(transcript.uuids()) + 1))
    (status,) = phone.call("workspace/list")["workspaces"]
    assert status["active_session_id"] == transcript.id
    includes(phone.call("workspace/status", {"workspace_id": workspace}), is_being_watched=True,
             watched_session_id=transcript.id)
    includes(phone.call("workspace/session/unwatch", {}), watching=False, session_id=transcript.id)
    includes(phone.call("workspace/status", {"workspace_id": workspace}), is_being_watched=False, watched_session_id="")
    shown = reader.uuids()
    later = Reader(transcript.id).at(other)
    transcript.goes_on()
    later.shows(transcript.uuids())
    phone.settle()
    assert reader.uuids() == shown


def test_only_one_session_is_watched_at_a_time(bare, device, recording, repository, workspace, transcript):
    transcript.write()
    second = transcript.copy("11111111-0000-4000-8000-000000000000")
    phone, other = device("phone"), device("other")
    Reader(transcript.id).at(phone)
    followed = Reader(second.id).at(phone)
    both = Reader(transcript.id).at(other)
    transcript.goes_on()
    second.goes_on()
    followed.shows(second.uuids())
    both.shows(transcript.uuids())
    phone.settle()
    assert phone.heard("claude_message", session_id=transcript.id) == []


def test_several_devices_see_each_other(bare, device, workspace, transcript):
    transcript.write()
    place = {"workspace_id": workspace, "session_id": transcript.id}
    phone, tablet = device("phone"), device("tablet")
    mine, its = (each.hello["clientId"] for each in (phone, tablet))
    includes(phone.call("client/session/focus", place), other_viewers=[], viewer_count=1)
    includes(tablet.call("client/session/focus", place), other_viewers=[mine], viewer_count=2)
    joined = phone.hear("session_joined", **place)
    includes(joined, joining_client_id=its, viewer_count=2)
    assert mine in joined["other_viewers"] and its not in joined["other_viewers"]
    assert tablet.heard("session_joined") == []
    assert viewers(phone, transcript.id) == {mine, its}
    watching = device("watching", "view")
    readers = [Reader(transcript.id).at(each) for each in (phone, tablet, watching)]
    transcript.goes_on()
    for reader in readers:
        reader.shows(transcript.uuids())
    tablet.close()
    includes(phone.hear("session_left", **place), leaving_client_id=its, remaining_viewers=[mine], viewer_count=1)
    assert viewers(phone, transcript.id) == {mine}
    third = device("third")
    third.call("client/session/focus", place)
    phone.call("client/session/focus", {"workspace_id": workspace, "session_id": ""})
    includes(third.hear("session_left", **place), leaving_client_id=mine, viewer_count=1)
    third.settle()
    assert viewers(phone, transcript.id) == {third.hello["clientId"]}


def viewers(device, session_id):
    (found,) = device.call("workspace/list")["workspaces"]
    (session,) = [one for one in found["sessions"] if one["id"] == session_id]
    return set(session["viewers"])


@pytest.mark.parametrize("rights", ["view", "approve"])
def test_who_may_not_drive_changes_nothing(bare, device, repository, workspace, rights):
    repository.write("src/app.ts", "two\n")
    looking, driving = device("looking", rights), device("driving", "drive")
    place = {"workspace_id": workspace}
    document = looking.call("rpc.discover")
    drives = [method for method in document["methods"] if method.get("x-right") == "drive"]
    assert {"workspace/git/stage", "workspace/add", "workspace/remove"} <= {method["name"] for method in drives}
    before = state(repository)
    for method in drives:
        samples = {"string": "src/app.ts", "array": ["src/app.ts"], "boolean": True}
        params = {p["name"]: samples[p["schema"].get("oneOf", [p["schema"]])[0]["type"]] for p in method["params"] if p["required"]}
        error = refused(looking, method["name"], {**params, **place}, -32600)
        assert error.data == {"refused": "drive"}, method["name"]
    assert state(repository) == before
    assert [entry["path"] for entry in looking.call("workspace/git/status", place)["unstaged"]] == ["src/app.ts"]
    assert driving.call("workspace/git/stage", {**place, "paths": ["src/app.ts"]})["success"] is True
    heard = looking.hear("git_status_changed", staged_count=1, **place)
    assert heard["changed_files"] == ["src/app.ts"]


def state(repository):
    git = repository.path / ".git"
    return [(git / name).read_bytes() for name in ("index", "HEAD", "config")] + [(repository.path / "src/app.ts").read_text()]


def test_subscriptions_filter(bare, device, repository, workspace):
    elsewhere = bare.local.call("workspace/add", {"path": str(bare.box.root / "new"), "create_if_missing": True})["id"]
    phone, other, all_of_it = device("phone"), device("other"), device("all")
    phone.call("workspace/subscribe", {"workspace_id": workspace})
    other.call("workspace/subscribe", {"workspace_id": elsewhere})
    phone.call("workspace/git/status", {"workspace_id": workspace})
    repository.write("src/app.ts", "two\n")
    repository.stage("src/app.ts")
    for each in phone, all_of_it:
        each.hear("git_status_changed", workspace_id=workspace, staged_count=1)
    other.settle()
    assert other.heard("git_status_changed", workspace_id=workspace) == []
    other.call("workspace/subscribeAll")
    repository.commit("next")
    other.hear("git_status_changed", workspace_id=workspace, staged_count=0)


def test_a_lost_connection_loses_and_doubles_nothing(bare, device, workspace, transcript):
    """It is cut while messages arrive, in the middle of a frame or between two, and again while it is away."""
    transcript.write()
    proxy = Proxy(bare.box, bare.tcp)
    reader = Reader(transcript.id)
    for turn in range(6):
        phone = device(f"phone {turn}", port=proxy.port)
        reader.at(phone, meanwhile=transcript.goes_on)
        for _ in range(40):
            transcript.goes_on()
        # Some have arrived, and more are on their way.
        until(lambda: phone.heard("claude_message"), "a message as an event")
        proxy.cut()
        phone.closed()
        transcript.goes_on()
        proxy.mend()
    reader.at(device("phone", port=proxy.port), meanwhile=transcript.goes_on)
    transcript.goes_on()
    reader.shows(transcript.uuids())
    assert len(set(reader.uuids())) == len(reader.uuids())


def test_a_killed_daemon_loses_and_doubles_nothing(bare, device, workspace, transcript):
    """Neither messages, nor the workspace, nor who looks at it: the phone says that again."""
    transcript.write()
    reader = Reader(transcript.id)
    token = bare.local.call("token/create", {"name": "phone", "rights": "approve"})["token"]
    for _ in range(3):
        phone = bare.approver("phone", token=token)
        includes(phone.call("workspace/subscribe", {"workspace_id": workspace}), subscribed=[workspace])
        reader.at(phone, meanwhile=transcript.goes_on)
        for _ in range(20):
            transcript.goes_on()
        until(lambda: phone.heard("claude_message"), "a message as an event")
        bare.kill()
        phone.closed()
        transcript.goes_on()
        bare.start()
    phone = bare.approver("phone", token=token)
    (found,) = phone.call("workspace/list")["workspaces"]
    assert found["id"] == workspace and found["sessions"][0]["viewers"] == []
    assert phone.call("workspace/subscriptions")["is_filtering"] is False
    reader.at(phone, meanwhile=transcript.goes_on)
    transcript.goes_on()
    reader.shows(transcript.uuids())
    assert len(set(reader.uuids())) == len(reader.uuids())
