"""What PyPI `hypothesis` makes of the OpenRPC document, sent over a WebSocket by PyPI `websockets`: calls as a method wants
them, nearly so, and hostile ones, and frames that are no calls. Nothing breaks; nothing outside the workspace is ever in an
answer or an event, nor written; every result is as the document says."""
import json

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

from harness import http1
from harness.generated import HOSTILE, PATHS, bounded, parameters, weighted, written
from harness.git_calls import run
from harness.line import Line
from harness.workspace import CANARY, Folder, Surroundings

# They add places by name or take the test's own away, which is what they are for.
PLACES = {"workspace/add", "workspace/discover", "workspace/remove"}


@pytest.fixture
def space(bare):
    """With a branch on which the links that lead out are files, and a remote."""
    made = Folder(bare.box)
    (made.path / "pipe").unlink()
    for name, value in (("user.name", "Ann"), ("user.email", "ann@example.org")):
        run(made.path, "config", name, value)
    run(made.path, "add", "-A")
    run(made.path, "commit", "-q", "-m", "links")
    run(made.path, "branch", "-M", "main")
    run(made.path, "checkout", "-q", "-b", "files")
    for name in "leaf", "way-out":
        (made.path / name).unlink()
    (made.path / "leaf").write_text("written over\n")
    (made.path / "way-out").mkdir()
    (made.path / "way-out" / "f").write_text("written over\n")
    run(made.path, "add", "-A")
    run(made.path, "commit", "-q", "-m", "files")
    run(made.path, "checkout", "-q", "main")
    run(bare.box.root, "init", "-q", "--bare", "remote.git")
    run(made.path, "remote", "add", "origin", bare.box.root / "remote.git")
    keep_a_transcript(bare.box)
    return made.add(bare)


@pytest.fixture
def outside(bare, space, session):
    return Surroundings(bare.box, space)


# Text for whatever a method names; the rest is made by the schema.
WORDS = ["ws-none", "HEAD", "main", "files", "-f", "--output=x", "*", ":/", ":(top)", "refs/heads/../../x", "ext::sh -c x"]
INSIDE = st.sampled_from([
    "", "README.md", "src", "src/main.ts", "src/deep/x.txt", "image.png", ".env", "notes", "leaf", "way-out", "way-out/f",
    "src/up", "src/up/f", "new.txt", "src/../leaf", ".git/config"])
PLACE = weighted((3, INSIDE), (1, PATHS))


NEARLY = {"jsonrpc": weighted((7, st.just("2.0")), (1, st.sampled_from(["1.0", 2, None, ""]))), "id": HOSTILE,
          "method": weighted((3, st.sampled_from(["status/health", "workspace/list", "permission/stats"])),
                             (1, st.sampled_from(["no/such", "", "rpc.", "event/heartbeat"])), (1, HOSTILE)),
          "params": weighted((2, st.just({})), (1, HOSTILE))}
MORE = {"result": HOSTILE, "error": HOSTILE, "method ": HOSTILE}
ENVELOPES = weighted((3, st.fixed_dictionaries(NEARLY, optional=MORE)), (1, st.fixed_dictionaries({}, optional=NEARLY | MORE)))
CUT = st.tuples(ENVELOPES.map(written), st.integers(0, 200)).map(lambda made: made[0][: made[1]])
TEXTS = ["", " ", "null", "[]", "{}", "[[]]", '"a"', "1e999", '{"a":', "\ufeff{}", "[" * 5000, written("@@deep 64@@"),
         written("@@deep 200@@")]
BATCHES = st.lists(weighted((2, ENVELOPES), (1, HOSTILE)), max_size=6)
# Each with the number of messages that it counts for.
FRAMES = weighted(
    (4, ENVELOPES.map(lambda one: (written(one), 1))), (1, ENVELOPES.map(lambda one: (written(one).encode(), 1))),
    (2, BATCHES.map(lambda batch: (written(batch), max(1, len(batch))))), (1, CUT.map(lambda text: (text, 1))),
    (1, st.sampled_from(TEXTS).map(lambda text: (text, 1))), (1, st.binary(max_size=40).map(lambda data: (data, 1))))


def likely(space, session, card):
    """Values with which a call does something, by the name of the parameter."""
    revisions = st.sampled_from(["HEAD", "main", "files", "HEAD~1", "side", "origin/main", "stash@{0}", "HEAD:leaf"])
    return {
        "workspace_id": st.sampled_from([space.id] * 19 + ["ws-none"]), "id": st.just(space.id),
        "session_id": st.sampled_from([session.id, "kept"]), "request_id": st.just(card["request_id"]),
        "tool_use_id": st.just(card["tool_use_id"]), "path": PLACE, "directory": PLACE, "paths": st.lists(PLACE, max_size=4),
        "branch": weighted((3, revisions), (1, st.sampled_from(WORDS))), "sha": revisions, "remote": st.sampled_from(["origin", *WORDS]),
        "index": st.integers(0, 2), "offset": st.integers(0, 3), "message": st.text(max_size=20),
        "query": st.sampled_from(["words", "touch"]), "name": st.text(min_size=1, max_size=20)}


def of_method(method, named):
    """Parameters for it: most of them good, some with a wrong one, some of any form."""
    own = {name: made for name, made in named.items() if name != "id" or method["name"].startswith("workspace/")}
    mixed = {name: weighted((3, made), (1, HOSTILE)) for name, made in own.items()}
    good, wrong = parameters(method, WORDS, None, own), parameters(method, WORDS, HOSTILE, mixed)
    return weighted((6, good), (3, wrong), (1, HOSTILE))


def keep_a_transcript(box):
    folder = box.config / "projects" / "-p"
    folder.mkdir(parents=True)
    line = {"type": "user", "uuid": "u1", "sessionId": "kept", "timestamp": "2026-11-25T03:06:23.660Z", "cwd": "/p",
            "message": {"role": "user", "content": "some words"}}
    (folder / "kept.jsonl").write_text(json.dumps(line) + "\n")


MAY = {"view": {"read", None}, "approve": {"read", "report", "decide", None}, "drive": {"read", "report", "decide", "drive", None}}


@pytest.mark.parametrize("rights", MAY)
def test_no_call_breaks_anything(bare, space, session, outside, rights):
    watching = bare.approver("watching")
    session.bash("touch a")
    line = Line(bare, rights)
    bare.box.on_close(line.close)
    named = likely(space, session, watching.card())
    methods = {one["name"]: one for one in line.document["methods"] if rights != "drive" or one["name"] not in PLACES}
    strategies = {name: of_method(one, named) for name, one in methods.items()}
    allowed = sorted(name for name, one in methods.items() if one.get("x-right") in MAY[rights])
    refused = sorted(methods.keys() - allowed)
    bare.box.note("answers", lambda: json.dumps([line.results_of, line.codes]))

    @seed(21)
    @bounded(150, 2500)
    @given(st.data())
    def check(data):
        name = data.draw(st.sampled_from(allowed * 4 + refused))
        answer = line.call(name, data.draw(strategies[name]))
        if name in refused:
            assert answer["error"]["code"] in (-32600, -32602), answer
        assert bare.process.poll() is None, bare.story()

    check()
    outside.are_untouched()
    assert http1.ask(bare.tcp, "GET", "/health").status == 200
    # It was no mere exchange of errors.
    assert sum(line.results_of.values()) > 30, line.results_of


def test_no_path_leads_out_whoever_asks(bare, space, session, outside):
    """Every method that takes a path, under both of its names."""
    line = Line(bare, "drive")
    bare.box.on_close(line.close)
    names = {"path", "paths", "directory"}
    methods = [one for one in line.document["methods"]
               if one["name"] not in PLACES and names & {p["name"] for p in one["params"]}]
    assert len(methods) > 10
    fixed = {"workspace_id": st.just(space.id), "path": PLACE, "directory": PLACE, "paths": st.lists(PLACE, max_size=4)}
    strategies = {one["name"]: parameters(one, ["HEAD", "main", "files"], None, fixed) for one in methods}

    @seed(22)
    @bounded(150, 1500)
    @given(st.data())
    def check(data):
        name = data.draw(st.sampled_from(sorted(strategies)))
        line.call(name, data.draw(strategies[name]))

    check()
    outside.are_untouched()


def test_no_frame_breaks_anything(bare, space, outside):
    line = Line(bare, "approve")
    bare.box.on_close(line.close)

    @seed(23)
    @bounded(150, 1000)
    @given(FRAMES)
    def check(made):
        line.throw(*made)

    check()
    outside.are_untouched()
    assert bare.process.poll() is None, bare.story()


def test_what_is_outside_would_be_found(bare, space, outside):
    """The test of the tests: content from outside in an answer fails them, and so does a file that was written there."""
    line = Line(bare, "drive")
    bare.box.on_close(line.close)
    (space.path / "copy").write_text(CANARY)
    with pytest.raises(AssertionError):
        line.call("file/get", {"workspace_id": space.id, "path": "copy"})
    (space.outside / "f").write_text("changed")
    with pytest.raises(AssertionError):
        outside.are_untouched()
