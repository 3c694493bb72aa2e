"""Apple's push service, as PyPI `hypercorn` serves it over HTTP/2 with TLS; the provider's token is checked by PyPI `PyJWT`."""
import asyncio
import datetime
import ipaddress
import json
import socket
import threading

import hypercorn.asyncio
import hypercorn.config
import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from .waiting import await_condition

KEY_ID, TEAM_ID, TOPIC = "ABC123DEFG", "TEAM123456", "com.example.claudiator"


def pem(key):
    """A private key in PKCS #8, as Apple gives it (`.p8`)."""
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


class Authority:
    """Makes the certificate of a server on loopback, and the certificate that vouches for it."""

    def __init__(self, directory):
        self.path, self.certificate, self.key = (directory / name for name in ("ca.pem", "server.pem", "server.key"))
        issuer, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"an authority of a test {directory.name}")])
        root = self._sign(issuer, name, issuer, name, x509.BasicConstraints(ca=True, path_length=None))
        names = x509.SubjectAlternativeName(
            [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        leaf = self._sign(own, x509.Name([]), issuer, name, names)
        self.path.write_bytes(root.public_bytes(serialization.Encoding.PEM))
        self.certificate.write_bytes(leaf.public_bytes(serialization.Encoding.PEM))
        self.key.write_bytes(pem(own))

    @staticmethod
    def _sign(own, subject, issuer, name, extension):
        now = datetime.datetime.now(datetime.UTC)
        return (x509.CertificateBuilder().subject_name(subject).issuer_name(name).public_key(own.public_key())
                .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(hours=1))
                .not_valid_after(now + datetime.timedelta(days=2)).add_extension(extension, critical=True)
                .sign(issuer, hashes.SHA256()))


class Push:
    """One push as it arrived."""

    def __init__(self, scope, body):
        self.token = scope["path"].removeprefix("/3/device/")
        self.method, self.version, self.connection = scope["method"], scope["http_version"], scope["client"]
        self.headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def jwt(self):
        return self.headers["authorization"].removeprefix("bearer ")

    def __repr__(self):
        return f"<{self.token[:8]} {self.body[:400]!r}>"


class APNs:
    """`behaviour` is called with each push and returns a status, (status, members of the answer), (status, members,
    headers), or "stall"."""

    def __init__(self, authority, public_key, behaviour=lambda push: 200):
        self.behaviour, self.public_key, self.pushes, self.wrong = behaviour, public_key, [], []
        self.changed, self.together, self.most_together = threading.Condition(), 0, 0
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        config = hypercorn.config.Config()
        config.bind = [f"fd://{listener.detach()}"]
        config.certfile, config.keyfile = str(authority.certificate), str(authority.key)
        config.graceful_timeout, config.errorlog = 0, None
        self._loop, self._ready = asyncio.new_event_loop(), threading.Event()
        self._thread = threading.Thread(target=self._run, args=[config], daemon=True)
        self._thread.start()
        self._ready.wait(10)

    def _run(self, config):
        async def serve():
            self._over = asyncio.Event()
            self._task = asyncio.current_task()
            # A connection that is cut off is no fault.
            self._loop.set_exception_handler(lambda *_: None)
            self._ready.set()
            await hypercorn.asyncio.serve(self._app, config, shutdown_trigger=self._over.wait, mode="asgi")

        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(serve())
        except (asyncio.CancelledError, OSError):
            pass  # Cancelled while a client was still sending.
        finally:
            self._loop.close()

    async def _app(self, scope, receive, send):
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        push = Push(scope, body)
        self.together += 1
        self.most_together = max(self.most_together, self.together)
        answer = self._refusal(push) or self.behaviour(push)
        with self.changed:
            self.pushes.append(push)
            self.changed.notify_all()
        if asyncio.iscoroutine(answer):
            answer = await answer
        if answer == "stall":
            await self._over.wait()
        self.together -= 1
        status, members, headers = (*answer, {})[:3] if isinstance(answer, tuple) else (answer, {}, {})
        text = json.dumps(members).encode() if status != 200 else b""
        await send({"type": "http.response.start", "status": status,
                    "headers": [(name.encode(), value.encode()) for name, value in headers.items()]})
        await send({"type": "http.response.body", "body": text})

    def _refusal(self, push):
        """As APNs checks a provider's token; kept in `wrong`, so that no test passes with one."""
        try:
            header = jwt.get_unverified_header(push.jwt)
            claims = jwt.decode(push.jwt, self.public_key, algorithms=["ES256"], issuer=TEAM_ID, leeway=5)
            assert header["kid"] == KEY_ID and set(claims) == {"iss", "iat"}, (header, claims)
        except (jwt.PyJWTError, AssertionError, KeyError) as error:
            self.wrong.append(error)
            return 403, {"reason": "InvalidProviderToken"}
        return None

    @property
    def connections(self):
        return {push.connection for push in self.pushes}

    def got(self, count=1, timeout=10.0, where=lambda push: True):
        """The `count`th push that matches, once it is there."""
        def arrived():
            found = [push for push in self.pushes if where(push)]
            return found[count - 1] if len(found) >= count else None

        return await_condition(self.changed, arrived, lambda: f"push {count} among {self.pushes}", timeout)

    def close(self):
        # Cancelled: it would wait until its clients close their connections.
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(10)


class Provider:
    """The daemon's side: the key that Apple gave, and the `apns` of its configuration."""

    def __init__(self, box):
        self.box, self.authority = box, Authority(box.root)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.key_file = box.root / "AuthKey.p8"
        self.key_file.write_bytes(pem(self.key))

    def service(self, behaviour=lambda push: 200):
        made = APNs(self.authority, self.key.public_key(), behaviour)
        self.box.on_close(made.close)
        self.box.note("pushes", lambda: "\n".join(map(repr, made.pushes)))
        return made

    def settings(self, service, sandbox=None, **more):
        members = {"key_file": str(self.key_file), "key_id": KEY_ID, "team_id": TEAM_ID, "topic": TOPIC,
                   "host": f"127.0.0.1:{service.port}", "authority": str(self.authority.path),
                   "sandbox_host": f"localhost:{(sandbox or service).port}"}
        return {"apns": {**members, **more}}
