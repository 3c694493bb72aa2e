"""The bridge is found in the local network, by the machine's own Avahi."""
import shutil
import socket

import pytest

from harness.avahi import Avahi
from harness.daemon import reserved_port
from harness.waiting import until

KIND = "_openagents._tcp"

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("/usr/sbin/avahi-daemon", "avahi-browse", "dbus-daemon"))), reason="Avahi is not here")


@pytest.fixture
def avahi(box, lan):
    return Avahi(box)


@pytest.fixture
def begin(box, cdev, avahi):
    cdev.environment = {**cdev.environment, **{key: value for key, value in avahi.environment.items() if key != "PATH"}}
    port = reserved_port(box)

    def start(host="0.0.0.0", announce=True):
        cdev.start("--host", host, tls="local-ca", acp_port=port, acp_announce=announce)
        return port

    return start


def found(avahi, *wanted):
    until(lambda: avahi.services(KIND) == sorted(wanted), lambda: f"{wanted}: {avahi.services(KIND)}", 30)


def name():
    return f"cdev on {socket.gethostname().split('.')[0]}"


def test_it_is_announced_and_taken_back(avahi, begin, cdev):
    """With its port, and nothing else."""
    port = begin()
    found(avahi, (name(), port, ""))
    cdev.stop()
    found(avahi)


def test_a_name_that_is_taken_gets_a_number(avahi, begin):
    avahi.publish(name(), KIND, 1)
    found(avahi, (name(), 1, ""))
    port = begin()
    found(avahi, (name(), 1, ""), (f"{name()} #2", port, ""))


def test_avahi_may_come_later_and_again(avahi, begin):
    avahi.stop()
    port = begin()
    avahi.start()
    found(avahi, (name(), port, ""))
    avahi.stop()
    avahi.start()
    found(avahi, (name(), port, ""))


def test_it_is_off_unless_it_is_wished(avahi, begin, cdev):
    begin(announce=None)
    assert avahi.services(KIND) == []


def test_what_nobody_reaches_is_not_announced(avahi, begin, cdev):
    begin(host="127.0.0.1")
    assert avahi.services(KIND) == []
    assert "no other machine reaches the bridge" in cdev.story()
