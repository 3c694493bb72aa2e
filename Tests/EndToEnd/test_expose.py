"""`cdev expose`, with a program in place of `tailscale` that keeps what it is told; its output has the form of the real one's."""
import json
import socket

import pytest

from harness import tls
from harness.checks import OTHER, REFUSED, USAGE

NAME = "desk.tail1234.ts.net"
URL = f"https://{NAME}"
WRITTEN = '{ "retention_days":7,\n\t"port": %s }\n'

# Takes `status --json`, `serve status --json`, `serve --bg --https=PORT TARGET` and `serve --https=PORT off`.
TAILSCALE = """exec /usr/bin/python3 - "$@" <<'END'
import json, pathlib, sys
path = pathlib.Path(%r)
state = json.loads(path.read_text())
words = sys.argv[1:]
state["told"].append(words)
serve = state["serve"]
if words == ["status", "--json"]:
    print(json.dumps(state["status"]))
elif words == ["serve", "status", "--json"]:
    print(json.dumps(serve))
elif words[0] == "serve":
    if state["denied"]:
        sys.exit("Access denied: serve config denied")
    port = next(word for word in words if word.startswith("--https=")).partition("=")[2]
    site = f"%s:{port}"
    if words[-1] == "off":
        serve["Web"].pop(site)
        serve["TCP"].pop(port)
    else:
        serve.setdefault("TCP", {})[port] = {"HTTPS": True}
        serve.setdefault("Web", {})[site] = {"Handlers": {"/": {"Proxy": words[-1]}}}
else:
    sys.exit(f"unexpected: {words}")
path.write_text(json.dumps(state))
END"""


class Tailnet:
    def __init__(self, box):
        self.path = box.root / "tailnet.json"
        box.stub("tailscale", TAILSCALE % (str(self.path), NAME))
        self.set(told=[], denied=False, serve={},
                 status={"BackendState": "Running", "Self": {"DNSName": NAME + "."}, "CertDomains": [NAME]})

    @property
    def state(self):
        return json.loads(self.path.read_text())

    def set(self, **values):
        before = self.state if self.path.exists() else {}
        self.path.write_text(json.dumps({**before, **values}))

    def sites(self):
        return {site: entry["Handlers"]["/"]["Proxy"] for site, entry in self.state["serve"].get("Web", {}).items()}


@pytest.fixture
def tailnet(box):
    return Tailnet(box)


@pytest.fixture
def desk(box, cdev):
    """A daemon that was started in the background, with a configuration that somebody wrote."""
    box.cdev_home.mkdir(mode=0o700)
    config = box.cdev_home / "config.json"
    config.write_text(WRITTEN % cdev.port)
    box.on_close(lambda: cdev.run("stop"))
    cdev.ok("start")
    cdev.config = config
    return cdev


def pid(cdev):
    return cdev.json("status")["pid"]


def is_as_it_was(desk):
    return desk.config.read_text() == WRITTEN % desk.port


def test_a_tailnet_there_and_back(desk, tailnet):
    said = desk.ok("expose", "tailscale")
    target = f"http://127.0.0.1:{desk.port}"
    assert f"ran `tailscale serve --bg --https=443 {target}`" in said
    assert f'public_url: none → "{URL}"' in said and 'trusted_proxies: none → ["127.0.0.1"]' in said
    assert "`cdev expose off` undoes this" in said and "next: cdev pair" in said
    assert desk.config.read_text().startswith('{ "retention_days":7,\n\t"port": '), "the rest keeps its layout"
    assert tailnet.sites() == {f"{NAME}:443": target}
    status = desk.json("status")
    assert status["base_url"] == URL and status["hooks"]["state"] == "installed"
    assert desk.local.call("pair/start", {})["url"].startswith(f"{URL}/#pair=")
    before = pid(desk)
    desk.ok("expose", "tailscale")
    assert tailnet.sites() == {f"{NAME}:443": target} and pid(desk) == before, "a second time changes nothing"
    said = desk.ok("expose", "off")
    assert "ran `tailscale serve --https=443 off`" in said and f'public_url: "{URL}" → none' in said
    assert is_as_it_was(desk) and tailnet.sites() == {}
    assert desk.json("status")["base_url"] == target
    assert "nothing to undo" in desk.ok("expose", "off")


def test_every_network_there_and_back(desk, tailnet):
    with tls.address_beyond_loopback() as address:
        if address is None:
            pytest.skip("needs a network namespace of its own")
        desk.ok("expose", "tailscale")
        said = desk.ok("expose", "lan")
        assert tailnet.sites() == {}, "one way replaces the other"
        assert 'host: none → "0.0.0.0"' in said and 'tls: none → "local-ca"' in said
        assert desk.json("status")["base_url"] == f"https://{address}:{desk.port}"
        desk.ok("expose", "off")
    assert is_as_it_was(desk)


def test_a_machine_in_no_network_is_told_so(desk):
    done = desk.run("expose", "lan")
    assert done.returncode == OTHER and "in no network" in done.stderr


@pytest.mark.parametrize(("status", "says"), [
    ({"BackendState": "NeedsLogin"}, "`tailscale up`"),
    ({"BackendState": "Running", "Self": {"DNSName": ""}}, "MagicDNS"),
    ({"BackendState": "Running", "Self": {"DNSName": NAME + "."}, "CertDomains": None}, "HTTPS Certificates"),
    ({}, "not connected"),
])
def test_a_tailnet_that_cannot_serve_says_what_to_do(desk, tailnet, status, says):
    before = pid(desk)
    tailnet.set(status=status)
    done = desk.run("expose", "tailscale")
    assert done.returncode == OTHER and says in done.stderr
    assert is_as_it_was(desk) and pid(desk) == before


def test_without_tailscale_the_other_way_is_named(desk):
    done = desk.run("expose", "tailscale", env={"PATH": str(desk.box.stubs)})
    assert done.returncode == OTHER and "tailscale.com/download" in done.stderr and "cdev expose lan" in done.stderr
    assert is_as_it_was(desk)


def test_tailscale_that_refuses_is_quoted(desk, tailnet):
    tailnet.set(denied=True)
    done = desk.run("expose", "tailscale")
    assert done.returncode == OTHER and "serve config denied" in done.stderr and "--operator=$USER" in done.stderr
    assert is_as_it_was(desk)


def test_a_port_that_serves_something_else_is_left_alone(desk, tailnet):
    other = {"TCP": {"443": {"HTTPS": True}}, "Web": {f"{NAME}:443": {"Handlers": {"/": {"Proxy": "http://127.0.0.1:1"}}}}}
    tailnet.set(serve=other)
    desk.ok("expose", "tailscale")
    assert desk.json("status")["base_url"] == f"{URL}:8443"
    desk.ok("expose", "off")
    assert tailnet.state["serve"] == other


def test_what_somebody_serves_already_is_used_and_not_undone(desk, tailnet):
    target = f"http://127.0.0.1:{desk.port}"
    theirs = {"TCP": {"443": {"HTTPS": True}}, "Web": {f"{NAME}:443": {"Handlers": {"/": {"Proxy": target}}}}}
    tailnet.set(serve=theirs)
    desk.ok("expose", "tailscale")
    desk.ok("expose", "off")
    assert tailnet.state["serve"] == theirs and is_as_it_was(desk)


def test_a_funnel_is_refused(desk, tailnet):
    target = f"http://127.0.0.1:{desk.port}"
    tailnet.set(serve={"TCP": {"443": {"HTTPS": True}}, "AllowFunnel": {f"{NAME}:443": True},
                       "Web": {f"{NAME}:443": {"Handlers": {"/": {"Proxy": target}}}}})
    done = desk.run("expose", "tailscale")
    assert done.returncode == REFUSED and "open internet" in done.stderr
    assert is_as_it_was(desk)


def test_a_daemon_that_cannot_start_so_is_started_as_before(desk):
    with socket.create_server(("127.0.0.2", desk.port)):
        done = desk.run("expose", "lan", timeout=60)
    assert done.returncode != 0 and "config.json is as it was" in done.stderr
    assert is_as_it_was(desk)
    assert desk.json("status")["base_url"] == f"http://127.0.0.1:{desk.port}"


def test_what_was_changed_meanwhile_stays(desk, tailnet):
    desk.ok("expose", "tailscale")
    desk.config.write_text(desk.config.read_text().replace(URL, "https://mine.example"))
    said = desk.ok("expose", "off")
    assert "public_url was changed meanwhile" in said
    assert json.loads(desk.config.read_text()) == {
        "retention_days": 7, "port": desk.port, "public_url": "https://mine.example"}


@pytest.mark.parametrize("text", ["{", "[]", '{"port": "x"}'])
def test_a_configuration_with_a_fault_is_not_touched(desk, tailnet, text):
    desk.config.write_text(text)
    done = desk.run("expose", "tailscale")
    assert done.returncode == OTHER and "config.json" in done.stderr
    assert desk.config.read_text() == text and tailnet.sites() == {}


def test_an_agent_may_not(desk, tailnet):
    assert desk.run("expose", "tailscale", env={"CLAUDECODE": "1"}).returncode == REFUSED
    assert is_as_it_was(desk) and tailnet.state["told"] == []


@pytest.mark.parametrize("words", [[], ["tailnet"], ["lan", "off"]])
def test_wrong_usage(cdev, words):
    assert cdev.run("expose", *words).returncode == USAGE
