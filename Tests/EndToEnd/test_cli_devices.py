"""`cdev pair` and `cdev devices`, as a person at the terminal has them."""
import json
import os
import pty
import re
import signal
import sqlite3
import subprocess

import pytest

from harness import http1
from harness.checks import OTHER, REFUSED, USAGE, fails
from harness.waiting import until


@pytest.fixture
def bare(cdev):
    return cdev.start()


class Person:
    """A command with a terminal of its own."""

    def __init__(self, cdev, *words, **env):
        self.screen = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            program = str(cdev.programs / "cdev")
            os.execve(program, [program, *words], cdev.box.env(TERM="xterm-256color", **env))
        os.set_blocking(self.terminal, False)
        cdev.box.note(f"terminal of {words}", lambda: self.screen)

    def _read(self):
        try:
            self.screen += os.read(self.terminal, 65536).decode(errors="replace").replace("\r\n", "\n")
        except OSError:
            pass
        return self.screen

    def sees(self, pattern):
        return until(lambda: re.search(pattern, self._read()), lambda: f"{pattern} in {self.screen}")

    def types(self, text):
        os.write(self.terminal, text.encode())

    def leaves(self):
        """The exit status, once it has one."""
        _, status = self._wait()
        self._read()
        return os.waitstatus_to_exitcode(status)

    def _wait(self):
        def gone():
            self._read()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            return (pid, status) if pid else None

        return until(gone, lambda: f"the command to end: {self.screen}")


def post(cdev, path, **body):
    return http1.ask(cdev.tcp, "POST", path, body)


def link(screen):
    return re.search(r"#pair=(cdev_p_\S+)", screen).group(1)


def test_a_link_lets_one_device_in(bare):
    person = Person(bare, "pair", "--name", "my phone")
    person.sees("Waiting")
    assert f"http://127.0.0.1:{bare.port}/#pair=" in person.screen and "`cdev expose tailscale`" in person.screen
    assert "▀" not in person.screen, "no phone can open that"
    assert post(bare, "/api/auth/exchange", pairing_token=link(person.screen), name="x").status == 200
    assert person.leaves() == 0
    assert "my phone has come in from 127.0.0.1 and may approve" in person.screen
    listed = bare.ok("devices")
    assert "my phone" in listed and "approve" in listed and "127.0.0.1" in listed


def typed(bare, person):
    person.sees("Waiting")
    code = re.search(r"type  (\S{4}-\S{4})", person.screen).group(1)
    ticket = post(bare, "/api/pair/code", code=code).json["pairing_token"]
    assert post(bare, "/api/auth/exchange", pairing_token=ticket, name="tab\x1b[2Jlet").status == 202
    person.sees(r"Let it in, to view\? \[y/N\]")
    assert "tab[2Jlet (" not in person.screen and "tab[2Jlet at 127.0.0.1 typed the code" in person.screen
    return ticket


@pytest.mark.parametrize("answer, status, exit_status", [("y\n", 200, 0), ("\n", 403, REFUSED), ("no\n", 403, REFUSED)])
def test_a_typed_code_is_asked_about(bare, answer, status, exit_status):
    person = Person(bare, "pair", "--rights", "view")
    ticket = typed(bare, person)
    person.types(answer)
    done = until(lambda: next((a for a in [post(bare, "/api/auth/exchange", pairing_token=ticket)]
                               if a.status != 202), None), "the answer")
    assert done.status == status
    assert person.leaves() == exit_status
    assert len(bare.json("devices")["devices"]) == (1 if status == 200 else 0)


def test_wrong_codes_are_told(bare):
    person = Person(bare, "pair")
    person.sees("Waiting")
    for _ in range(5):
        post(bare, "/api/pair/code", code="00000000")
    person.sees("the code is void, the link still works")
    assert post(bare, "/api/auth/exchange", pairing_token=link(person.screen)).status == 200
    assert person.leaves() == 0


def test_an_interrupt_takes_it_back(bare):
    person = Person(bare, "pair")
    person.sees("Waiting")
    person.types("\x03")
    assert person.leaves() == OTHER
    assert "taken back" in person.screen
    assert post(bare, "/api/auth/exchange", pairing_token=link(person.screen)).status == 410


@pytest.mark.parametrize("colours", [True, False])
def test_a_link_that_others_can_open_is_drawn(cdev, colours):
    cdev.start(public_url="https://desk.example")
    person = Person(cdev, "pair", **({} if colours else {"NO_COLOR": "1"}))
    person.sees("Waiting")
    assert "▀" in person.screen and "https://desk.example/#pair=" in person.screen and "cdev expose" not in person.screen
    assert ("\x1b[38;5;231;48;5;16m" in person.screen) is colours and ("\x1b" in person.screen) is colours
    os.kill(person.pid, signal.SIGTERM)
    assert person.leaves() == OTHER


def test_the_key_of_the_local_authority_is_shown(cdev):
    cdev.start(tls="local-ca")
    person = Person(cdev, "pair")
    person.sees("Waiting")
    pin = cdev.json("status")["tls"]["pin"]
    assert pin.startswith("sha256/") and pin in person.screen
    assert f"installs https://127.0.0.1:{cdev.port}/ca.crt first" in person.screen
    os.kill(person.pid, signal.SIGTERM)
    assert person.leaves() == OTHER


def test_as_json_and_confirmed_from_elsewhere(bare):
    pair = bare.spawn("pair", "--json", "--rights", "view")
    offer = json.loads(pair.shows("cdev_p_"))
    assert offer["version"] == 1 and offer["access"] == "view" and offer["url"].endswith(offer["token"])
    ticket = post(bare, "/api/pair/code", code=offer["code"]).json["pairing_token"]
    assert post(bare, "/api/auth/exchange", pairing_token=ticket, name="tablet").status == 202
    request = json.loads(pair.shows("preq_"))["request"]
    assert request["name"] == "tablet"
    assert "tablet may come in" in bare.ok("pair", "approve", request["request_id"])
    device = post(bare, "/api/auth/exchange", pairing_token=ticket).json
    assert json.loads(pair.shows('"device"'))["device"]["device_id"] == device["device_id"]
    until(lambda: pair.process.poll() == 0, "the command to end")
    fails(bare, OTHER, "pair", "approve", request["request_id"])
    fails(bare, OTHER, "pair", "reject", "preq_nobody")


def test_devices_are_found_by_the_beginning_of_their_id(bare):
    for name in ("a", "b"):
        bare.ok("token", "create", name, "--rights", "view")
    devices = bare.json("devices")["devices"]
    assert [(d["name"], d["kind"], d["access"]) for d in devices] == [("a", "token", "view"), ("b", "token", "view")]
    fails(bare, USAGE, "devices", "revoke", "d_")
    fails(bare, OTHER, "devices", "revoke", "nobody")
    fails(bare, USAGE, "devices", "revoke", "")
    assert bare.json("devices", "revoke", devices[0]["device_id"][:12])["name"] == "a"
    assert "b revoked" in bare.ok("token", "revoke", "b")
    assert "no devices" in bare.ok("devices")


@pytest.mark.parametrize("words", [
    ("pair", "--rights", "all"), ("token", "create", "x", "--rights", "admin"), ("pair", "now"), ("devices", "revoke"),
])
def test_wrong_words(bare, words):
    fails(bare, USAGE, *words)


def test_a_bad_name(bare):
    fails(bare, OTHER, "pair", "--name", " x")


def test_the_picture_can_be_read(bare, box):
    """By a decoder nobody here wrote, where there is one."""
    zxing = pytest.importorskip("zxingcpp")
    image = pytest.importorskip("PIL.Image")
    path = box.root / "qr.png"
    path.write_bytes(http1.ask(bare.socket, "GET", "/api/pair/qr?format=link").body)
    assert link(zxing.read_barcodes(image.open(path))[0].text)
    path.write_bytes(http1.ask(bare.socket, "GET", "/api/pair/qr").body)
    facts = json.loads(zxing.read_barcodes(image.open(path))[0].text)
    assert facts["ws"] == f"ws://127.0.0.1:{bare.port}/ws" and facts["token"].startswith("cdev_p_")


def test_no_daemon(cdev):
    done = subprocess.run([str(cdev.programs / "cdev"), "pair"], env=cdev.box.env(), capture_output=True, text=True)
    assert done.returncode == 3 and "cdev start" in done.stderr


def test_a_revocation_that_could_not_be_written_down_is_not_forgotten(cdev):
    cdev.start()
    token = cdev.token("phone")
    database = sqlite3.connect(cdev.box.cdev_home / "cdev.db", timeout=10, isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    done = cdev.run("devices", "revoke", "phone", timeout=60)
    assert done.returncode == OTHER and "could not be written down" in done.stderr, done
    ask = {"jsonrpc": "2.0", "id": 1, "method": "permission/stats"}
    headers = {"Authorization": f"Bearer {token}"}
    assert http1.ask(cdev.tcp, "POST", "/rpc", ask, headers).status == 401
    database.execute("ROLLBACK")
    database.close()
    cdev.stop()
    cdev.start()
    assert http1.ask(cdev.tcp, "POST", "/rpc", ask, headers).status == 401
    assert cdev.json("devices")["devices"] == []
