"""The configuration of docs/operations.md in a real nginx, with nothing changed but places and ports."""
import json
import re
import shutil
import socket
import ssl
import subprocess

import pytest
from websockets.exceptions import InvalidStatus

from harness import http1, tls
from harness.checks import HEALTH, bearer, error_of
from harness.daemon import REPOSITORY, reserved_port
from harness.waiting import PATIENCE, until

NAME = "cdev.example"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin")


def documented():
    text = (REPOSITORY / "docs" / "operations.md").read_text()
    return re.search(r"```nginx\n(.*?)```", text, re.DOTALL).group(1)


class Proxy:
    """nginx in front of a daemon that knows its public address."""

    def __init__(self, cdev, **config):
        self.root, self.port = cdev.box.root / "nginx", reserved_port(cdev.box)
        self.root.mkdir()
        certificate, key = self.root / "c.pem", self.root / "k.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
             "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", certificate],
            check=True, capture_output=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.context.load_verify_locations(certificate)
        self.origin = f"https://{NAME}:{self.port}"
        self.daemon = cdev.start(public_url=self.origin, trusted_proxies=["127.0.0.1"], **config)
        site = re.sub(r"listen \[::\]:443.*\n", "", documented())
        for old, new in [("127.0.0.1:8766", f"127.0.0.1:{cdev.port}"), ("listen 443", f"listen 127.0.0.1:{self.port}")]:
            assert old in site, old
            site = site.replace(old, new)
        site = re.sub(r"(ssl_certificate\s+)\S+;", rf"\g<1>{certificate};", site)
        site = re.sub(r"(ssl_certificate_key\s+)\S+;", rf"\g<1>{key};", site)
        places = "".join(f"{kind}_temp_path {self.root};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (self.root / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {self.root}/pid; error_log {self.root}/error.log;\n"
            f"events {{}}\nhttp {{ access_log off; {places}\n{site}\n}}\n")
        self.process = subprocess.Popen(
            [NGINX, "-p", self.root, "-c", self.root / "nginx.conf", "-e", self.root / "error.log"],
            env=cdev.box.env(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cdev.box.on_close(self.close)
        cdev.box.note("nginx", lambda: (self.root / "error.log").read_text())
        until(self._answers, "nginx to answer", 10)

    def _answers(self):
        assert self.process.poll() is None, (self.root / "error.log").read_text()
        try:
            return self.ask("GET", "/health").status == 200
        except OSError:
            return False

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(5 * PATIENCE)

    def ask(self, method, target, body=b"", headers=(), name=NAME):
        headers = {"Host": f"{name}:{self.port}", **dict(headers)}
        return tls.ask(("127.0.0.1", self.port), self.context, method, target, body, headers, name=NAME)

    def connect(self, **options):
        wire = socket.create_connection(("127.0.0.1", self.port), 10)
        return tls.WebSocket(
            f"wss://{NAME}:{self.port}/ws", self.context, sock=wire, server_hostname=NAME, **options)


@pytest.fixture
def proxy(cdev):
    if not NGINX:
        pytest.skip("no nginx here")
    return Proxy(cdev)


def test_methods_and_events_pass(proxy):
    token = proxy.daemon.token()
    assert proxy.ask("POST", "/rpc", HEALTH, {**bearer(token), "Origin": proxy.origin}).status == 200
    with proxy.connect(additional_headers=bearer(token), origin=proxy.origin) as wire:
        wire.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "status/get"}))
        assert json.loads(wire.recv())["result"]["base_url"] == proxy.origin
        session = proxy.daemon.session()
        session.start()
        heard = json.loads(wire.recv())
        assert heard["method"] == "event/claude_hook_session" and heard["params"]["session_id"] == session.id


def test_the_tokens_subprotocol_passes(proxy):
    with proxy.connect(subprotocols=["cdev", f"cdev.token.{proxy.daemon.token()}"], origin=proxy.origin) as wire:
        assert wire.subprotocol == "cdev"


def test_a_large_call_passes(proxy):
    call = {**HEALTH, "params": {"filler": "x" * 1_500_000}}
    assert proxy.ask("POST", "/rpc", call, bearer(proxy.daemon.token())).status == 200


def test_who_has_no_token_stays_out(proxy):
    error_of(proxy.ask("POST", "/rpc", HEALTH), 401)
    event = {"session_id": "s", "hook_event_name": "SessionStart", "cwd": "/tmp"}
    error_of(proxy.ask("POST", "/hooks/claude", event), 401)
    with pytest.raises(InvalidStatus) as refused:
        proxy.connect(origin=proxy.origin).__enter__()
    assert refused.value.response.status_code == 401


def test_another_origin_stays_out(proxy):
    token = proxy.daemon.token()
    error_of(proxy.ask("POST", "/rpc", HEALTH, {**bearer(token), "Origin": "https://evil.example"}), 403)
    with pytest.raises(InvalidStatus) as refused:
        proxy.connect(additional_headers=bearer(token), origin=f"https://{NAME}").__enter__()
    assert refused.value.response.status_code == 403


def test_another_host_stays_out(proxy):
    with pytest.raises(http1.Closed):
        proxy.ask("GET", "/health", name="evil.example")


def test_the_address_behind_the_proxy_is_noted(proxy):
    proxy.ask("POST", "/rpc", HEALTH, {**bearer("wrong"), "X-Forwarded-For": "203.0.113.9"})
    assert "unknown token address=127.0.0.1\n" in proxy.daemon.log(), "what the client says does not count"


def test_a_proxy_is_not_let_through_the_unix_socket(cdev):
    cdev.start()
    call = {"jsonrpc": "2.0", "id": 1, "method": "token/list"}
    assert http1.ask(cdev.socket, "POST", "/rpc", call).status == 200
    for headers in ({"X-Forwarded-For": "203.0.113.9"}, {"Origin": "http://localhost:8766"}):
        error_of(http1.ask(cdev.socket, "POST", "/rpc", call, headers), 403)
