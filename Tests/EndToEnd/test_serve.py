"""The daemon in the foreground: its start, its configuration, its end."""
import json
import shutil
import signal
import socket

import pytest

from harness.checks import OTHER, USAGE
from harness.daemon import reserved_port
from harness.waiting import until


@pytest.fixture
def bare(cdev):
    return cdev.start(no_approver="hold")


def test_one_line_when_ready(bare):
    until(lambda: bare.output.read_text().strip(), "the ready line")
    (line,) = [line for line in bare.output.read_text().splitlines() if str(bare.port) in line]
    assert str(bare.socket) in line or str(bare.port) in line


def test_a_second_daemon_says_who_runs_already(bare):
    done = bare.run("serve", "--port", reserved_port(bare.box))
    assert done.returncode not in (0, None)
    assert str(bare.process.pid) in done.stderr
    assert bare.local.call("status/health")["status"] == "ok"


def test_a_stale_socket_is_replaced(bare):
    bare.kill()
    assert bare.socket.exists()
    bare.start()


def test_a_deleted_socket_is_made_anew(bare):
    """Within a second, and calls are held again; a second daemon is still kept out."""
    bare.socket.unlink()
    until(lambda: bare.run("status", "--json").returncode == 0, "the daemon to be found again")
    assert "made anew" in bare.run("status").stdout and "made anew" in bare.log()
    assert "had been deleted" in bare.run("doctor").stdout
    held = bare.session().bash("touch a")
    assert held.first_status() == 102, "and holds calls again"
    held.hang_up()
    assert str(bare.process.pid) in bare.run("serve", "--port", 0).stderr
    assert bare.stop() == 0 and not bare.socket.exists()


def test_the_directory_of_a_socket_is_made_anew(box, cdev):
    cdev.socket = box.root / "elsewhere" / "s"
    cdev.start("--socket", cdev.socket)
    shutil.rmtree(cdev.socket.parent)
    until(lambda: cdev.run("status", "--json", env={"CDEV_SOCKET": cdev.socket}).returncode == 0, "the daemon to be found again")
    assert cdev.socket.parent.stat().st_mode & 0o777 == 0o700


def test_what_stands_in_the_sockets_place_is_said(bare):
    bare.socket.unlink()
    bare.socket.write_text("precious")
    until(lambda: "cannot be made anew" in bare.log(), "the log to say it")
    for command in ("status", "stop", "doctor"):
        done = bare.run(command)
        said = done.stdout + done.stderr
        assert done.returncode != 0 and f"pid {bare.process.pid}" in said and "deleted or replaced" in said, said
    assert bare.socket.read_text() == "precious"
    bare.socket.unlink()
    until(lambda: bare.run("status", "--json").returncode == 0, "the daemon to be found again")


def test_a_port_in_use_is_said(bare, box):
    done = bare.run("serve", "--port", bare.port, "--home", box.root / "other")
    assert done.returncode == OTHER and str(bare.port) in done.stderr


def test_a_check_says_whether_it_could_start(bare, box):
    home = box.root / "other"
    done = bare.run("serve", "--check", "--port", bare.port, "--home", home)
    assert done.returncode == OTHER and str(bare.port) in done.stderr
    assert bare.run("serve", "--check", "--port", 0, "--home", home).returncode == 0
    assert not home.exists(), "nothing was made"
    home.mkdir()
    (home / "config.json").write_text('{"port": "many"}')
    done = bare.run("serve", "--check", "--home", home)
    assert done.returncode == OTHER and "many" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order(bare, number):
    phone = bare.approver()
    assert bare.stop(number) == 0
    assert phone.closed() == 1001
    assert not bare.socket.exists()


def test_home_and_socket_can_be_elsewhere(box, cdev):
    path = box.root / "elsewhere.sock"
    home = box.root / "other home"
    cdev.socket = path
    cdev.start("--socket", path, "--home", home)
    assert (home / "cdev.db").exists()
    assert cdev.run("status", "--json", env={"CDEV_HOME": home, "CDEV_SOCKET": path}).returncode == 0


BAD_CONFIG = [
    ({"gate": "sometimes"}, ["gate", "sometimes", "auto", "tool-call", "prompt", "always"]),
    ({"port": "many"}, ["port", "many"]),
    ({"port": 70000}, ["port", "70000"]),
    ({"permission_timeout_seconds": -1}, ["permission_timeout_seconds", "-1"]),
    ({"permission_timeout_seconds": 100000000}, ["permission_timeout_seconds", "100000000"]),
    ({"prompt_timeout_seconds": "long"}, ["prompt_timeout_seconds", "long"]),
    ({"on_timeout": "allow"}, ["on_timeout", "allow", "ask", "deny", "pass"]),
    ({"no_approver": "allow"}, ["no_approver", "allow", "pass", "hold", "deny"]),
    ({"passthrough_tools": "Bash"}, ["passthrough_tools"]),
    ({"allowed_origins": [7]}, ["allowed_origins"]),
    ({"retention_days": 0.5}, ["retention_days"]),
]


@pytest.mark.parametrize(("config", "words"), BAD_CONFIG, ids=lambda value: json.dumps(value)[:40])
def test_a_bad_value_stops_the_start(cdev, config, words):
    cdev.configure(**config)
    done = cdev.run("serve", "--port", cdev.port, timeout=10)
    assert done.returncode in (OTHER, USAGE)
    for word in words:
        assert word in done.stderr, done.stderr


def test_an_unknown_key_warns(cdev):
    cdev.start(colour="green")
    assert "colour" in cdev.log()


def test_a_config_that_is_not_json_stops_the_start(cdev):
    cdev.configure()
    (cdev.box.cdev_home / "config.json").write_text('{"gate": }')
    done = cdev.run("serve", "--port", cdev.port, timeout=10)
    assert done.returncode in (OTHER, USAGE) and "config.json" in done.stderr


def test_the_port_of_a_daemon_that_is_away_is_given_to_nobody_else(bare):
    bare.stop()
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(bare.tcp)
    bare.start()
