"""A small HTTP/1.1 client that hides nothing: interim responses, early closes and odd requests are what it is for."""
import json
import select
import socket

from .waiting import PATIENCE


class Response:
    def __init__(self, status, headers, body, interim):
        self.status, self.headers, self.body, self.interim = status, headers, body, interim

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"<{self.status} {self.headers} {self.body[:400]!r} after {[i.status for i in self.interim]}>"


class Closed(ConnectionError):
    """The server closed the connection where a response was due."""


class Connection:
    """One connection, to a Unix socket's path or to a (host, port)."""

    def __init__(self, where, timeout=15.0):
        unix = isinstance(where, (str, bytes)) or hasattr(where, "__fspath__")
        self.socket = socket.socket(socket.AF_UNIX if unix else socket.AF_INET, socket.SOCK_STREAM)
        self.socket.settimeout(timeout * PATIENCE)
        try:
            self.socket.connect(str(where) if unix else where)
        except OSError:
            self.socket.close()
            raise
        self._buffer = b""
        self._host = "localhost" if unix else f"{where[0]}:{where[1]}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def request(self, method, target, body=b"", headers=()):
        """Writes one request. Headers given replace the defaults of the same name; a value of None leaves it out."""
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        fields = {"host": ("Host", self._host), "content-length": ("Content-Length", str(len(body)))}
        if body:
            fields["content-type"] = ("Content-Type", "application/json")
        for name, value in dict(headers).items():
            fields[name.lower()] = (name, value)
        lines = [f"{method} {target} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in fields.values() if value is not None]
        self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def _fill(self):
        data = self.socket.recv(65536)
        if not data:
            raise Closed(f"closed with {self._buffer!r} read")
        self._buffer += data

    def _take(self, count):
        while len(self._buffer) < count:
            self._fill()
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    def _until(self, mark):
        while mark not in self._buffer:
            self._fill()
        head, self._buffer = self._buffer.split(mark, 1)
        return head

    def head(self):
        """One response head: status and headers, interim ones too."""
        first, *rest = self._until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        headers = {}
        for line in rest:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        return int(first.split()[1]), headers

    def response(self):
        """The final response, with the interim ones (1xx but 101) that came before it."""
        interim = []
        while True:
            status, headers = self.head()
            if status == 101 or status >= 200:
                return Response(status, headers, self.body(status, headers), interim)
            interim.append(Response(status, headers, b"", []))

    def body(self, status, headers):
        if status in (101, 204, 304):
            return b""
        if headers.get("transfer-encoding", "").lower() == "chunked":
            parts = []
            while size := int(self._until(b"\r\n").split(b";")[0], 16):
                parts.append(self._take(size))
                self._take(2)
            self._until(b"\r\n")
            return b"".join(parts)
        if "content-length" in headers:
            return self._take(int(headers["content-length"]))
        try:
            while True:
                self._fill()
        except Closed:
            body, self._buffer = self._buffer, b""
            return body

    def has_something(self):
        """Whether anything was sent that has not been read, or the server has closed; waits for nothing."""
        return bool(self._buffer) or bool(select.select([self.socket], [], [], 0)[0])

    def at_end(self):
        """True once the server has closed and nothing is left to read."""
        try:
            return not self._buffer and self.socket.recv(1) == b""
        except ConnectionResetError:
            return True


def ask(where, method, target, body=b"", headers=(), timeout=15.0):
    """One request on a connection of its own."""
    with Connection(where, timeout) as connection:
        connection.request(method, target, body, headers)
        return connection.response()
