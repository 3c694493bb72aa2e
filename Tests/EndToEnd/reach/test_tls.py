"""TLS on the one port, judged by clients that nobody here wrote."""
import base64
import datetime
import hashlib
import json
import shutil
import socket
import ssl
import subprocess

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.x509 import verification
from websockets.exceptions import InvalidStatus

from harness import http1, tls
from harness.checks import HEALTH, bearer
from harness.waiting import PATIENCE


def shown(daemon, context, name="localhost"):
    with tls.Secure(daemon.tcp, context, name) as connection:
        return x509.load_der_x509_certificate(connection.socket.getpeercert(binary_form=True))


def status(daemon):
    return daemon.json("status")


def test_the_same_port_speaks_both(secure, trust):
    assert tls.ask(secure.tcp, trust, "GET", "/health").json["status"] == "ok"
    assert http1.ask(secure.tcp, "GET", "/health").json["status"] == "ok"
    with tls.Secure(secure.tcp, trust) as connection:
        assert connection.socket.selected_alpn_protocol() == "http/1.1"
        assert connection.socket.version() == "TLSv1.3"
        for _ in range(3):
            connection.request("GET", "/health")
            assert connection.response().status == 200


def test_another_verifier_accepts_the_chain(secure, trust):
    root = x509.load_der_x509_certificate(tls.authority(secure))
    leaf = shown(secure, trust)
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = verification.PolicyBuilder().store(verification.Store([root])).time(now)
    chain = builder.build_server_verifier(x509.DNSName("localhost")).verify(leaf, [])
    assert chain == [leaf, root]
    with pytest.raises(verification.VerificationError):
        builder.build_server_verifier(x509.DNSName("example.com")).verify(leaf, [])


def test_what_the_certificates_say(secure, trust):
    root = x509.load_der_x509_certificate(tls.authority(secure))
    # A client that connects to an address names no host, and is shown the certificate with all names.
    leaf = shown(secure, trust, "127.0.0.1")
    constraints = root.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical and not constraints.value.excluded_subtrees
    assert x509.DNSName("local") in constraints.value.permitted_subtrees
    assert root.extensions.get_extension_for_class(x509.BasicConstraints).value == x509.BasicConstraints(True, 0)
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc < datetime.timedelta(days=397)
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    host = socket.gethostname().split(".")[0].lower()
    assert {"localhost", f"{host}.local"} <= set(names.get_values_for_type(x509.DNSName))
    assert "127.0.0.1" in [str(address) for address in names.get_values_for_type(x509.IPAddress)]
    named = shown(secure, trust).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert named.get_values_for_type(x509.DNSName) == names.get_values_for_type(x509.DNSName)
    assert named.get_values_for_type(x509.IPAddress) == []
    public = root.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    pin = "sha256/" + base64.b64encode(hashlib.sha256(public).digest()).decode()
    assert status(secure)["tls"]["pin"] == pin
    assert pin in secure.run("status").stdout


def test_the_pin_and_the_trust_outlive_a_restart(secure, trust):
    before, pin = shown(secure, trust), status(secure)["tls"]["pin"]
    secure.stop()
    secure.start()
    assert status(secure)["tls"]["pin"] == pin
    assert shown(secure, trust).serial_number != before.serial_number


@pytest.mark.parametrize("program", ["curl", "wget"])
def test_other_programs_accept_it(secure, program):
    """wget is built on GnuTLS in Debian, so it is another eye than OpenSSL's."""
    if not shutil.which(program):
        pytest.skip(f"no {program} here")
    certificate = secure.box.root / "ca.pem"
    certificate.write_text(ssl.DER_cert_to_PEM_cert(tls.authority(secure)))
    options = ["-sS", "--cacert"] if program == "curl" else ["-q", "-O-", "--no-proxy", "--ca-certificate"]
    words = [program, *options, str(certificate), f"https://localhost:{secure.port}/health"]
    done = subprocess.run(words, env=secure.box.env(), capture_output=True, text=True, timeout=20 * PATIENCE)
    assert done.returncode == 0 and json.loads(done.stdout)["status"] == "ok", done.stderr
    without = [word for word in words if word not in ("--cacert", "--ca-certificate", str(certificate))]
    assert subprocess.run(without, env=secure.box.env(), capture_output=True, timeout=20 * PATIENCE).returncode != 0


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_nothing_older_than_tls_1_2(secure, trust, version):
    trust.minimum_version = trust.maximum_version = version
    assert tls.ask(secure.tcp, trust, "GET", "/health").status == 200


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
def test_older_versions_are_refused(secure, version):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = version
    with pytest.raises(ssl.SSLError, match="(?i)protocol.version"):
        tls.Secure(secure.tcp, context)


def test_a_handshake_that_comes_byte_by_byte(secure, trust):
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = trust.wrap_bio(incoming, outgoing, server_hostname="localhost")
    with socket.create_connection(secure.tcp, 10) as raw:
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def drip():
            for byte in outgoing.read():
                raw.send(bytes([byte]))

        def go_on(step):
            while True:
                try:
                    result = step()
                    drip()
                    return result
                except ssl.SSLWantReadError:
                    drip()
                    incoming.write(raw.recv(65536))

        go_on(session.do_handshake)
        go_on(lambda: session.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        assert go_on(lambda: session.read(4096)).startswith(b"HTTP/1.1 200")


def test_wss(secure, trust):
    token = secure.token()
    address = f"wss://localhost:{secure.port}/ws"
    with tls.WebSocket(address, trust, additional_headers=bearer(token)) as wire:
        wire.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "status/get"}))
        answer = json.loads(wire.recv())
        assert answer["result"]["base_url"] == f"https://127.0.0.1:{secure.port}"
    with pytest.raises(InvalidStatus) as refused:
        tls.WebSocket(address, trust).__enter__()
    assert refused.value.response.status_code == 401


def test_a_large_call_and_a_large_answer(secure, trust):
    token = secure.token()
    call = {"jsonrpc": "2.0", "id": 1, "method": "status/health", "params": {"filler": "x" * 900_000}}
    assert tls.ask(secure.tcp, trust, "POST", "/rpc", call, bearer(token)).status == 200
    batch = [{**HEALTH, "id": f"{number}" + "i" * 200} for number in range(500)]
    answer = tls.ask(secure.tcp, trust, "POST", "/rpc", batch, bearer(token))
    assert len(answer.body) > 100_000 and len(answer.json) == 500


def test_a_held_call_ends_when_its_client_leaves(secure, trust):
    token = secure.token()
    phone = secure.approver("phone", token=token)
    event = {"session_id": "over-tls", "hook_event_name": "PreToolUse", "cwd": str(secure.box.project),
             "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": "touch x"},
             "tool_use_id": "toolu_tls"}
    connection = tls.Secure(secure.tcp, trust)
    connection.request("POST", "/hooks/claude", event, bearer(token))
    card = phone.card(tool_use_id="toolu_tls")
    connection.close()
    phone.resolved(card)


def test_doctor_says_what_is_wrong_with_the_files(cdev):
    certificate, key = cdev.box.root / "c.pem", cdev.box.root / "k.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
         "-subj", "/CN=x", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True)
    cdev.start(tls={"certificate": str(certificate), "key": str(key)})
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(certificate)
    assert tls.ask(cdev.tcp, context, "GET", "/health").status == 200
    assert "certificate until" in cdev.run("doctor").stdout
    assert http1.ask(cdev.tcp, "GET", "/ca.crt").status == 404


@pytest.mark.parametrize("files, word", [
    ({"certificate": "/nonexistent/c", "key": "/nonexistent/k"}, "/nonexistent/c"), ("on", "local-ca"),
    ({"certificate": "relative", "key": "/k"}, "absolute")])
def test_what_cannot_be_used_stops_the_start(cdev, files, word):
    cdev.configure(tls=files)
    done = cdev.run("serve", "--port", cdev.port, timeout=10)
    assert done.returncode == 1 and word in done.stderr and '"tls"' in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
