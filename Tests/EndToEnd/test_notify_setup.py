"""`cdev notify`: a channel from nothing to a test message that has arrived."""
import hashlib
import hmac
import json
import re
import socket

import pytest

from harness.checks import OTHER, REFUSED, USAGE


@pytest.fixture
def desk(box, cdev):
    cdev.configure(port=cdev.port)
    box.on_close(lambda: cdev.run("stop"))
    cdev.ok("start")
    return cdev


def configured(cdev):
    return json.loads((cdev.box.cdev_home / "config.json").read_text()).get("notify")


def test_ntfy_there_and_back(desk, receiver):
    url = f"{receiver.base}/my-topic"
    said = desk.ok("notify", "ntfy", url, "--token", "tk_a")
    assert url in said and "a test message was sent" in said and "█" in said
    assert "cdev expose tailscale" in said, "nothing is held for links that nobody can open"
    assert receiver.got().headers["Authorization"] == "Bearer tk_a"
    assert configured(desk) == {"ntfy": {"url": url, "token": "tk_a"}}
    desk.ok("notify", "off", "ntfy")
    assert configured(desk) is None and desk.json("status")["notify"] == []


def test_a_topic_of_its_own_cannot_be_guessed(desk):
    topics = set()
    for _ in range(2):
        # No network leads to ntfy.sh from here.
        done = desk.run("notify", "ntfy", timeout=60)
        assert done.returncode == OTHER and "not taken" in done.stderr and "cdev notify off ntfy" in done.stderr
        topics.add(re.fullmatch(r"https://ntfy\.sh/cdev-([a-z2-9]{24})", configured(desk)["ntfy"]["url"]).group(1))
    assert len(topics) == 2


def test_a_webhook_gets_a_secret(desk, receiver):
    said = desk.ok("notify", "webhook", f"{receiver.base}/hook", "--answers")
    secret = re.search(r"the secret that signs the messages: (\S{40})\n", said).group(1)
    assert configured(desk)["webhook"] == {"url": f"{receiver.base}/hook", "secret": secret, "answers": True}
    told = receiver.got()
    fields = dict(part.split("=") for part in told.headers["Cdev-Signature"].split(","))
    signed = fields["t"].encode() + b"." + told.body
    assert hmac.compare_digest(fields["v1"], hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest())
    desk.ok("notify", "ntfy", f"{receiver.base}/topic")
    assert set(configured(desk)) == {"ntfy", "webhook"}
    desk.ok("notify", "off")
    assert configured(desk) is None


@pytest.mark.parametrize(("words", "says"), [
    (["ntfy", "https://ntfy.sh/"], "notify.ntfy.url"), (["ntfy", "ftp://a/b"], "notify.ntfy.url"),
    (["ntfy", "https://a/b", "--token", "a b"], "notify.ntfy.token"), (["webhook", "here"], "notify.webhook.url"),
    (["webhook", "http://a.example/x", "--answers"], "notify.webhook.answers"),
])
def test_what_a_daemon_could_not_start_with_is_not_written(desk, words, says):
    before = (desk.box.cdev_home / "config.json").read_bytes()
    done = desk.run("notify", *words)
    assert done.returncode == OTHER and says in done.stderr
    assert (desk.box.cdev_home / "config.json").read_bytes() == before


def test_an_agent_may_not(desk, receiver):
    done = desk.run("notify", "webhook", f"{receiver.base}/hook", env={"CLAUDECODE": "1"})
    assert done.returncode == REFUSED and configured(desk) is None


@pytest.mark.parametrize("words", [["webhook"], ["off", "mail"], ["pigeon"]])
def test_wrong_usage(cdev, words):
    assert cdev.run("notify", *words).returncode == USAGE


@pytest.mark.parametrize("words", [[], ["ntfy"]])
def test_a_restart_that_fails_leaves_the_file_as_it_was(cdev, box, words):
    """The daemon runs at a port that its file no longer names, and another program has the one it names."""
    url = "http://127.0.0.1:9/topic"
    taken = socket.create_server(("127.0.0.1", 0))
    box.on_close(taken.close)
    cdev.start(notify={"ntfy": {"url": url}, "webhook": {"url": url, "secret": "0123456789" * 4}},
               port=taken.getsockname()[1])
    file = cdev.box.cdev_home / "config.json"
    before = file.read_bytes()
    done = cdev.run("notify", "off", *words, timeout=60)
    box.on_close(lambda: cdev.run("stop"))
    assert done.returncode != 0 and "config.json is as it was" in done.stderr
    assert file.read_bytes() == before


def test_where_there_is_nothing_to_end_nothing_is_restarted(desk, receiver):
    process = desk.json("status")["pid"]
    assert "no notifications by ntfy or webhook" in desk.ok("notify", "off")
    desk.ok("notify", "webhook", f"{receiver.base}/hook")
    assert desk.json("status")["pid"] != process
    process = desk.json("status")["pid"]
    assert "no notifications by ntfy" in desk.ok("notify", "off", "ntfy")
    assert desk.json("status")["pid"] == process and "webhook" in configured(desk)
    assert desk.ok("notify", "off").endswith("no more notifications by ntfy and webhook\n") and configured(desk) is None
