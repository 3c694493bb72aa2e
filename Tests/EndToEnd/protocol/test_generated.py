"""Calls that PyPI `hypothesis` makes up: every reading method of the table, and paths into a workspace. Nothing breaks,
and nothing outside the workspace, nor a sensitive file's content, is ever in an answer to a client that may only look."""
import json

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

from harness import http1
from harness.generated import CRASH, JUNK, PATHS, bounded, parameters
from harness.workspace import CANARY, SECRET, Folder

BOUNDED = bounded(300)
# Of one device in a minute are taken 600.
MOST_OF_TOKEN = 500


class Looker:
    """A client that may look, over HTTP; with a new token before a device has sent too much."""

    def __init__(self, cdev):
        self.cdev, self.count, self.connection = cdev, 0, None
        self.headers = {}

    def ask(self, method, params):
        if self.count % MOST_OF_TOKEN == 0:
            made = self.cdev.local.call("token/create", {"name": f"looker {self.count}", "rights": "view"})
            self.headers = {"Authorization": f"Bearer {made['token']}"}
        self.count += 1
        if self.connection is None:
            self.connection = http1.Connection(self.cdev.tcp, 30)
            self.cdev.box.on_close(self.connection.close)
        body = json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}).encode()
        self.connection.request("POST", "/rpc", body, self.headers)
        answer = self.connection.response()
        assert answer.status == 200, answer
        return answer.json

    def check(self, method, params):
        reply = self.ask(method, params)
        text = json.dumps(reply)
        assert CANARY not in text, f"{method} {params}"
        assert SECRET not in text, f"{method} {params}"
        assert ("result" in reply) != ("error" in reply)
        if "error" in reply:
            message = reply["error"]["message"].lower()
            assert not any(word in message for word in CRASH), reply
        assert self.cdev.process.poll() is None, self.cdev.story()
        return reply


@pytest.fixture
def looker(bare):
    return Looker(bare)


@pytest.fixture
def space(bare):
    return Folder(bare.box).add(bare)


def test_no_path_leaves_the_workspace(bare, looker, space):
    methods = ["workspace/file/get", "file/get", "workspace/files/list", "file/list", "workspace/files/unwatch"]

    @seed(12)
    @BOUNDED
    @given(st.sampled_from(methods), PATHS, st.integers(1, 500), st.integers(0, 10))
    def check(method, path, limit, offset):
        place = {"path": path} if method.endswith("get") else {"directory": path, "limit": limit, "offset": offset}
        looker.check(method, {"workspace_id": space.id, **place})

    check()
    assert looker.check("file/get", {"path": "README.md"})["result"]["content"] == "# Space\n"


def test_nobody_leaves_the_workspace(bare, space):
    """Whoever may drive reads sensitive files, and nothing outside either."""
    @seed(13)
    @BOUNDED
    @given(st.sampled_from(["file/get", "file/list"]), PATHS)
    def check(method, path):
        name = "path" if method == "file/get" else "directory"
        answer = bare.local.request(method, {name: path})
        assert CANARY.encode() not in answer.body, path

    check()


def test_every_reading_method_takes_what_comes(bare, looker, space, session):
    session.bash("touch a")
    document = bare.local.call("rpc.discover")
    methods = [method for method in document["methods"] if method.get("x-right") == "read"]
    assert len(methods) > 8
    words = [space.id, session.id, "ws-none", str(space.path), str(space.outside), "HEAD", "main", "-f", "--output=x", "*"]

    @seed(14)
    @BOUNDED
    @given(st.data())
    def check(data):
        method = data.draw(st.sampled_from(methods))
        params = data.draw(st.one_of(parameters(method, words), parameters(method, words), JUNK))
        looker.check(method["name"], params)

    check()
    assert bare.local.call("status/health")["status"] == "ok"
