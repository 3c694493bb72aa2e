"""WebSocket frames made by hand, for what a well-behaved client library refuses to send."""
import base64
import os
import struct

from . import http1

TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9


class RawWebSocket:
    """Upgrades a connection; `upgrade` holds the response, whatever it was."""

    def __init__(self, port, token=None, headers=(), target="/ws", timeout=15.0):
        self.connection = http1.Connection(("127.0.0.1", port), timeout)
        fields = {
            "Host": f"127.0.0.1:{port}",
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            "Content-Length": None,
        }
        if token:
            fields["Authorization"] = f"Bearer {token}"
        fields.update(dict(headers))
        self.connection.request("GET", target, b"", fields)
        self.upgrade = self.connection.response()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def send(self, payload, opcode=TEXT, masked=True, final=True, claimed=None):
        """One frame. `claimed` is the length it says it has, where that is not the truth."""
        length = len(payload) if claimed is None else claimed
        head = bytes([(0x80 if final else 0) | opcode])
        bit = 0x80 if masked else 0
        if length < 126:
            head += bytes([bit | length])
        elif length < 1 << 16:
            head += bytes([bit | 126]) + struct.pack(">H", length)
        else:
            head += bytes([bit | 127]) + struct.pack(">Q", length)
        if masked:
            key = os.urandom(4)
            repeated = (key * (len(payload) // 4 + 1))[: len(payload)]
            payload = (int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")).to_bytes(len(payload), "big")
            head += key
        self.connection.send(head + payload)

    def frame(self):
        """The next frame, as (opcode, payload)."""
        first, second = self.connection._take(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", self.connection._take(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self.connection._take(8))
        return first & 0x0F, self.connection._take(length)

    def close_code(self):
        """Reads up to the server's close frame and returns its code and its reason."""
        while True:
            opcode, payload = self.frame()
            if opcode == CLOSE:
                return struct.unpack(">H", payload[:2])[0], payload[2:].decode()
