"""The Host a request is for, the Origin it comes from, and the address it arrives at."""
import pytest
import websockets.sync.client
from websockets.exceptions import InvalidStatus

from harness import http1
from harness.checks import HEALTH, bearer, error_of, refused


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8766", "127.0.0.1.evil.example", ""])
def test_a_host_we_do_not_serve(bare, token, host):
    response = http1.ask(bare.tcp, "POST", "/rpc", HEALTH, {**bearer(token), "Host": host})
    assert response.status in (400, 403, 421), response
    assert http1.ask(bare.tcp, "POST", "/hooks/claude", {}, {"Host": host}).status == response.status


def test_no_host_at_all(bare, token):
    error_of(http1.ask(bare.tcp, "POST", "/rpc", HEALTH, {**bearer(token), "Host": None}), 400)


@pytest.mark.parametrize("host", ["127.0.0.1:PORT", "localhost:PORT"])
def test_a_host_we_serve(bare, token, host):
    headers = {**bearer(token), "Host": host.replace("PORT", str(bare.port))}
    assert http1.ask(bare.tcp, "POST", "/rpc", HEALTH, headers).status == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:1"])
def test_a_foreign_origin(bare, token, origin):
    headers = {**bearer(token), "Origin": origin}
    error_of(http1.ask(bare.tcp, "POST", "/rpc", HEALTH, headers), 403)
    with pytest.raises(InvalidStatus) as refused:
        with websockets.sync.client.connect(
                f"ws://127.0.0.1:{bare.port}/ws", origin=origin, additional_headers=bearer(token), proxy=None):
            pass
    assert refused.value.response.status_code == 403


def test_an_allowed_origin(cdev):
    cdev.start(allowed_origins=["https://app.example"])
    headers = {**bearer(cdev.token()), "Origin": "https://app.example"}
    assert http1.ask(cdev.tcp, "POST", "/rpc", HEALTH, headers).status == 200


def test_no_address_beyond_loopback_without_tls(cdev):
    done = cdev.run("serve", "--host", "0.0.0.0", "--port", cdev.port, timeout=10)
    assert done.returncode in (1, 2, 4) and "TLS" in done.stderr and "--insecure" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
