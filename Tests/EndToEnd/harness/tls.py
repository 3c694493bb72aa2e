"""Clients that speak TLS, and an address beyond loopback that still leads nowhere."""
import asyncio
import concurrent.futures
import contextlib
import fcntl
import socket
import ssl
import struct

import websockets.asyncio.client

from . import http1
from .waiting import PATIENCE

LAN = "10.77.0.1"


class Secure(http1.Connection):
    """An HTTP connection over TLS; `name` is what the certificate must be for."""

    def __init__(self, where, context, name="localhost", timeout=15.0):
        super().__init__(where, timeout)
        try:
            self.socket = context.wrap_socket(self.socket, server_hostname=name)
        except BaseException:
            self.socket.close()
            raise


def ask(where, context, method, target, body=b"", headers=(), name="localhost"):
    with Secure(where, context, name) as connection:
        connection.request(method, target, body, headers)
        return connection.response()


class WebSocket:
    """A WebSocket over TLS, spoken by PyPI `websockets` on one thread.

    Not by `websockets.sync`, which reads on a thread of its own: until 3.12.8 Python lets SSL_read and SSL_write run at
    once on one connection. Where the server's session tickets, which come right behind the handshake, met the request, it
    was lost: some 3 of 1000 connections hung on a busy machine.
    """

    def __init__(self, address, context, **options):
        self.address, self.options = address, {"ssl": context, "proxy": None, "open_timeout": 10 * PATIENCE, **options}

    def __enter__(self):
        # A thread of its own: a browser of the same test run has an event loop on this one.
        self.thread = concurrent.futures.ThreadPoolExecutor(1)
        self.runner = asyncio.Runner()
        try:
            self.wire = self._run(self._connect())
        except BaseException:
            self._end()
            raise
        self.subprotocol = self.wire.subprotocol
        return self

    def __exit__(self, *_):
        try:
            self._run(self.wire.close())
        finally:
            self._end()

    def _run(self, task):
        return self.thread.submit(self.runner.run, task).result()

    def _end(self):
        self.thread.submit(self.runner.close).result()
        self.thread.shutdown()

    async def _connect(self):
        return await websockets.asyncio.client.connect(self.address, **self.options)

    def send(self, text):
        self._run(self._send(text))

    async def _send(self, text):
        await self.wire.send(text)

    def recv(self, timeout=10.0):
        async def receive():
            return await asyncio.wait_for(self.wire.recv(), timeout * PATIENCE)

        return self._run(receive())


def authority(daemon):
    """The daemon's own authority, DER, as any client may fetch it."""
    response = http1.ask(daemon.tcp, "GET", "/ca.crt")
    assert response.status == 200, response
    return response.body


def trusting(der):
    """A client's context that trusts this authority alone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=der)
    context.set_alpn_protocols(["http/1.1"])
    return context


@contextlib.contextmanager
def address_beyond_loopback():
    """Gives loopback's interface another address for a while. Peers that use it do not come from a loopback address.

    Only in a network namespace that holds nothing else; elsewhere it yields None. Of several processes that test in one
    namespace one has it at a time: it is the namespace that is locked.
    """
    with open("/proc/self/ns/net") as namespace:
        fcntl.flock(namespace, fcntl.LOCK_EX)
        with _address_alone() as found:
            yield found


@contextlib.contextmanager
def _address_alone():
    if [name for _, name in socket.if_nameindex()] != ["lo"]:
        yield None
        return
    SIOCSIFADDR, SIOCSIFNETMASK, SIOCSIFFLAGS, IFF_UP = 0x8916, 0x891C, 0x8914, 1

    def control(request, data):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
            fcntl.ioctl(handle, request, struct.pack("16s", b"lo:77") + data)

    def address(text):
        return struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(text))

    try:
        control(SIOCSIFADDR, address(LAN))
        control(SIOCSIFNETMASK, address("255.255.255.255"))
    except PermissionError:
        yield None
        return
    try:
        yield LAN
    finally:
        control(SIOCSIFFLAGS, struct.pack("H14x", 0))
