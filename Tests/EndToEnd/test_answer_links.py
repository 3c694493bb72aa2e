"""Answer links: one answer to one request, once, and never by looking."""
import contextlib
import secrets
import sqlite3

import pytest

from harness import http1
from harness.checks import includes
from harness.receiver import Receiver
from harness.waiting import until

SECRET = "a-secret-of-the-receiver"


@pytest.fixture
def linked(cdev, receiver):
    """A daemon with a webhook that is sent links."""
    return cdev.start(notify=settings(receiver))


def settings(receiver):
    return {"webhook": {"url": f"{receiver.base}/hook", "secret": SECRET, "answers": True}}


def post(cdev, body, headers=()):
    return http1.ask(cdev.tcp, "POST", "/a", body, headers)


def secret_of(link):
    assert "/a#" in link, link
    return link.split("#")[1]


def links(receiver, count=1):
    told = receiver.got(count, where=lambda delivery: delivery.json["type"] == "permission").json
    return {verb: secret_of(link) for verb, link in told["links"].items()}


@pytest.mark.parametrize("verb", ["allow", "deny"])
def test_a_link_gives_its_one_answer(linked, receiver, verb):
    phone = linked.approver("phone")
    held = linked.session().bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id)
    assert [option["key"] for option in card["options"]][1] == "allow_session"
    answer = post(linked, {"secret": links(receiver)[verb], "scope": "session", "updated_input": {"command": "touch b"}})
    assert answer.status == 200
    includes(answer.json, success=True, decision=verb, request_id=card["request_id"], sent=False)
    told = held.answer()["hookSpecificOutput"]
    assert told["permissionDecision"] == verb and "updatedInput" not in told
    includes(phone.resolved(card), decision=verb, resolved_by="link webhook", scope="once")
    assert phone.call("permission/rules")["rules"] == []


def test_a_replayed_link_does_nothing(linked, receiver):
    held = linked.session().bash("touch a")
    found = links(receiver)
    assert post(linked, {"secret": found["deny"]}).status == 200
    assert held.decision() == "deny"
    again = post(linked, {"secret": found["deny"]})
    assert again.status == 410 and "used" in again.json["error"]
    other = post(linked, {"secret": found["allow"]})
    assert other.status == 410 and "denied by a link (webhook)" in other.json["error"]


def test_looking_at_a_link_answers_nothing(linked, receiver):
    held = linked.session().bash("touch a")
    secret = links(receiver)["allow"]
    for target in ("/a", f"/a?secret={secret}", f"/a?{secret}"):
        response = http1.ask(linked.tcp, "GET", target)
        assert response.status == 200 and response.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in response.headers["content-security-policy"]
    seen = post(linked, {"secret": secret, "look": True})
    includes(seen.json, decision="allow", tool_name="Bash", project=linked.box.project.name)
    for unclear in ("true", 1, None, {}):
        refused = post(linked, {"secret": secret, "look": unclear})
        assert refused.status == 400 and "true or false" in refused.json["error"]
    includes(seen.json["card"], kind="shell_command", cwd=str(linked.box.project))
    assert seen.json["card"]["tool_input"]["command"] == "touch a"
    denying = post(linked, {"secret": links(receiver)["deny"], "look": True})
    assert (denying.json["decision"], denying.json["card"]) == ("deny", None), "who may only deny is not shown the call"
    assert not held.answered()
    linked.ok("deny", linked.local.call("permission/pending")["requests"][0]["request_id"])
    assert held.decision() == "deny"


def test_a_link_dies_with_its_request(linked, receiver):
    phone = linked.approver("phone")
    held = linked.session().bash("touch a")
    found = links(receiver)
    phone.respond(phone.card(tool_use_id=held.tool_use_id), "deny")
    assert held.decision() == "deny"
    late = post(linked, {"secret": found["allow"]})
    assert late.status == 410 and "denied by phone" in late.json["error"]


def test_a_link_says_where_nobody_has_heard_it_yet(cdev, receiver):
    cdev.start(notify=settings(receiver))
    held = cdev.session().bash("touch a")
    found = links(receiver)
    cdev.kill()
    held.hang_up()
    cdev.start(notify=settings(receiver))
    answer = post(cdev, {"secret": found["allow"]})
    assert answer.status == 200
    includes(answer.json, success=True, decision="allow", sent=True)


def test_a_link_outlives_a_restart_but_not_its_channel(cdev, receiver):
    cdev.start(notify=settings(receiver))
    session = cdev.session()
    session.bash("touch a")
    found = links(receiver)
    cdev.stop()
    cdev.start(notify={})
    dead = post(cdev, {"secret": found["deny"]})
    assert dead.status == 404
    cdev.stop()
    assert kept(cdev) == 0
    cdev.start(notify=settings(receiver))
    assert post(cdev, {"secret": found["deny"]}).status == 404, "what has died stays dead"


def kept(cdev):
    """Answer links that are written down."""
    with contextlib.closing(sqlite3.connect(cdev.box.cdev_home / "cdev.db", timeout=10)) as database:
        return database.execute("SELECT count(*) FROM answer_links").fetchone()[0]


def test_a_link_outlives_a_kill_while_its_request_is_open(linked, receiver):
    linked.session().bash("touch a")
    found = links(receiver)
    linked.kill()
    linked.start(notify=settings(receiver))
    assert kept(linked) == 2
    # Its relay does not come back, so it ends as lost within 10 s.
    assert post(linked, {"secret": found["deny"], "look": True}).status in (200, 410)
    until(lambda: kept(linked) == 0, "the links to go with the request", 20)


def test_dead_links_do_not_stay_in_the_database(linked, receiver):
    session = linked.session()
    first, second = session.bash("touch a"), session.bash("touch b")
    found = links(receiver)
    until(lambda: kept(linked) == 4, "both to be written down")
    request = receiver.got(1, where=lambda delivery: delivery.json["type"] == "permission").json["request_id"]
    linked.ok("deny", request)
    until(lambda: kept(linked) == 2, "those of the answered request to go")
    assert post(linked, {"secret": found["deny"]}).status == 410
    # As a kill between the answer and the removal leaves it: the request is answered, its links are written down.
    database = sqlite3.connect(linked.box.cdev_home / "cdev.db", timeout=10)
    rows = database.execute("SELECT * FROM answer_links").fetchall()
    assert post(linked, {"secret": links(receiver, 2)["deny"]}).status == 200
    assert {first.decision(), second.decision()} == {"deny"}
    linked.kill()
    with contextlib.closing(database):
        database.executemany("INSERT OR REPLACE INTO answer_links VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        database.commit()
    linked.start(notify=settings(receiver))
    assert kept(linked) == 0


def test_a_guess_is_refused_and_guessing_is_limited(linked, receiver):
    held = linked.session().bash("touch a")
    found = links(receiver)
    statuses = [post(linked, {"secret": secrets.token_urlsafe(16)}).status for _ in range(40)]
    assert statuses[0] == 404 and statuses[-1] == 429
    assert set(statuses) == {404, 429} and not held.answered()
    # Who guesses shuts nobody out who has a right one, though all come from one address and however many they are.
    with http1.Connection(linked.tcp) as guesser:
        for _ in range(600):
            guesser.request("POST", "/a", {"secret": "guess"})
            assert guesser.response().status in (404, 429)
    # Nor does who has another link.
    looks = [post(linked, {"secret": found["allow"], "look": True}).status for _ in range(61)]
    assert set(looks[:60]) == {200} and looks[60] == 429
    assert post(linked, {"secret": found["deny"]}).status == 200
    assert held.decision() == "deny"


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"{", {"secret": 7}, {"secret": None}, b"x" * 5000])
def test_what_is_no_secret_is_a_bad_request(linked, body):
    assert post(linked, body).status in (400, 413, 415)


def test_a_page_elsewhere_may_not_post(linked, receiver):
    held = linked.session().bash("touch a")
    found = links(receiver)
    refused = post(linked, {"secret": found["allow"]}, {"Origin": "https://evil.example"})
    assert refused.status == 403
    assert post(linked, {"secret": found["allow"]}, {"Host": "evil.example"}).status in (400, 403, 421)
    assert post(linked, {"secret": found["allow"]}, {"Content-Type": "text/plain"}).status == 415
    assert not held.answered()


def test_no_links_where_a_word_is_needed_or_nobody_vouches(cdev, receiver):
    cdev.start(notify=settings(receiver), confirm=["Bash(git)"], http_hooks=True)
    session = cdev.session()
    session.bash("git push")
    assert "links" not in receiver.got(1).json
    stranger = cdev.session(headers={})
    stranger.door = cdev.tcp
    stranger.bash("touch a")
    told = receiver.got(1, where=lambda delivery: "unverified" in delivery.json["title"]).json
    assert "links" not in told


def test_a_word_that_is_needed_since_a_restart_is_no_matter_of_a_link(linked, receiver):
    linked.session().bash("touch a")
    found = links(receiver)
    linked.stop()
    linked.start(notify=settings(receiver), confirm=["Bash"])
    for body in ({"secret": found["allow"], "look": True}, {"secret": found["allow"]}):
        refused = post(linked, body)
        assert refused.status == 403 and b"confirmed with a word" in refused.body
    assert post(linked, {"secret": found["deny"], "look": True}).status == 200
    assert post(linked, {"secret": found["deny"]}).status == 200


def test_a_form_can_be_denied_but_not_allowed(linked, receiver):
    questions = {"questions": [{"question": "Which?", "header": "h", "options": [{"label": "a", "description": ""}],
                                "multiSelect": False}]}
    held = linked.session().call("AskUserQuestion", questions, event="PermissionRequest")
    assert set(links(receiver)) == {"deny"}
    assert post(linked, {"secret": links(receiver)["deny"]}).status == 200
    assert held.decision() == "deny"


def test_the_action_of_ntfy_denies(cdev, box):
    receiver = Receiver()
    box.on_close(receiver.close)
    cdev.start(notify={"ntfy": {"url": f"{receiver.base}/topic"}})
    held = cdev.session().bash("touch a")
    deny = receiver.got().json["actions"][1]
    answer = http1.ask(cdev.tcp, deny["method"], "/a", deny["body"].encode(), deny["headers"])
    assert answer.status == 200
    assert held.decision() == "deny"
    until(lambda: "by a link (ntfy)" in cdev.ok("log"), "the log to name the link")


@pytest.mark.parametrize("change", [{"answers": False}, {"secret": "another"}, {"url": "/other"}])
def test_a_link_dies_with_the_permission_to_send_it(cdev, receiver, change):
    cdev.start(notify=settings(receiver))
    cdev.session().bash("touch a")
    found = links(receiver)
    cdev.stop()
    now = settings(receiver)
    now["webhook"].update({key: receiver.base + value if key == "url" else value for key, value in change.items()})
    cdev.start(notify=now)
    for verb in ("allow", "deny"):
        assert post(cdev, {"secret": found[verb], "look": True}).status == 404
        assert post(cdev, {"secret": found[verb]}).status == 404


def test_a_link_answers_no_later_opening(cdev, receiver):
    cdev.start(notify=settings(receiver))
    phone = cdev.approver("phone")
    session = cdev.session()
    held = session.bash("touch a")
    card = phone.card(tool_use_id=held.tool_use_id, opening=1)
    old = links(receiver)
    phone.respond(card, "ask")
    assert held.decision() == "ask"
    again = session.bash("touch a", event="PermissionRequest")
    second = phone.card(opening=2)
    assert second["request_id"] == card["request_id"]
    for body in ({"secret": old["allow"], "look": True}, {"secret": old["allow"]}, {"secret": old["deny"]}):
        assert post(cdev, body).status == 410
    assert not again.answered()
    assert post(cdev, {"secret": links(receiver, 2)["deny"]}).status == 200
    assert again.answer()
