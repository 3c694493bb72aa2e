"""A push service that says frame by frame what no server does when it is asked, on PyPI `h2`."""
import json
import socket
import ssl
import threading

import h2.config
import h2.connection
import h2.events
from hyperframe.frame import GoAwayFrame

from .waiting import await_condition


class FrameService:
    """`behaviour(connection, stream)` is called with each push that has arrived whole, on the thread of its connection;
    streams are numbered as they come, beginning with 1 in each connection."""

    def __init__(self, authority, behaviour):
        self.behaviour, self.pushes, self.connections = behaviour, [], []
        self.changed = threading.Condition()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(authority.certificate, authority.key)
        self.context.set_alpn_protocols(["h2"])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            connection = FrameConnection(self, peer)
            with self.changed:
                self.connections.append(connection)
                self.changed.notify_all()
            threading.Thread(target=connection.run, daemon=True).start()

    def got(self, count, timeout=10.0):
        return await_condition(self.changed, lambda: len(self.pushes) >= count, lambda: f"{count} among {self.pushes}",
                               timeout)

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            connection.close()


class FrameConnection:
    def __init__(self, service, peer):
        self.service, self.peer, self.socket = service, peer, None
        self.wire = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.streams = []

    def run(self):
        try:
            self.socket = self.service.context.wrap_socket(self.peer, server_side=True)
            self.wire.initiate_connection()
            self._flush()
            while data := self.socket.recv(65_536):
                for event in self.wire.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        path = dict(event.headers)[b":path"].decode()
                        self.streams.append((event.stream_id, path.removeprefix("/3/device/")))
                    if isinstance(event, h2.events.StreamEnded):
                        self._arrived(event.stream_id)
                self._flush()
        except OSError:
            pass

    def _arrived(self, identifier):
        token = dict(self.streams)[identifier]
        with self.service.changed:
            self.service.pushes.append(token)
            self.service.changed.notify_all()
        self.service.behaviour(self, (identifier + 1) // 2)

    def answer(self, stream, status=200, **members):
        identifier = 2 * stream - 1
        self.wire.send_headers(identifier, [(":status", str(status))], end_stream=not members)
        if members:
            self.wire.send_data(identifier, json.dumps(members).encode(), end_stream=True)
        self._flush()

    def go_away(self, last, reason="Shutdown"):
        """The service ends the connection, and has seen the streams up to `last`."""
        self._flush()
        frame = GoAwayFrame(0, last_stream_id=2 * last - 1, error_code=0, additional_data=json.dumps({"reason": reason}).encode())
        self.socket.sendall(frame.serialize())

    def _flush(self):
        if data := self.wire.data_to_send():
            self.socket.sendall(data)

    def close(self):
        """At once, whatever is under way."""
        for end in (self.socket, self.peer):
            try:
                end.shutdown(socket.SHUT_RDWR)
                end.close()
            except (OSError, AttributeError):
                pass
