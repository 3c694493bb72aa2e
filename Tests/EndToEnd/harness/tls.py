"""Clients that speak TLS, and an address beyond loopback that still leads nowhere."""
import contextlib
import fcntl
import socket
import ssl
import struct

from . import http1

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

    Only in a network namespace that holds nothing else; elsewhere it yields None.
    """
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
