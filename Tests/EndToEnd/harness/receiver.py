"""Who is told: an HTTP server on loopback that keeps what it was sent and behaves as badly as it is told to."""
import http.server
import json
import ssl
import threading

from .waiting import await_condition


class Delivery:
    def __init__(self, path, headers, body):
        self.path, self.headers, self.body = path, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"<{self.path} {self.body[:600]!r}>"


class Receiver:
    """`behaviour` is called with each delivery and returns a status, (status, headers, body), or "stall"."""

    def __init__(self, behaviour=lambda delivery: 200, certificate=None):
        self.behaviour, self.deliveries = behaviour, []
        self.changed, self.released = threading.Condition(), threading.Event()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                receiver._take(self)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_port
        self.base = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def _take(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        delivery = Delivery(handler.path, dict(handler.headers.items()), body)
        with self.changed:
            self.deliveries.append(delivery)
            self.changed.notify_all()
        answer = self.behaviour(delivery)
        if answer == "stall":
            self.released.wait(60)
            handler.close_connection = True
            return
        status, headers, text = answer if isinstance(answer, tuple) else (answer, {}, b"{}")
        try:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(text)))
            handler.end_headers()
            handler.wfile.write(text)
        except OSError:
            handler.close_connection = True

    def got(self, count=1, timeout=10.0, where=lambda delivery: True):
        """The `count`th delivery that matches, once it is there."""
        def arrived():
            found = [delivery for delivery in self.deliveries if where(delivery)]
            return found[count - 1] if len(found) >= count else None

        return await_condition(self.changed, arrived, lambda: f"delivery {count} among {self.deliveries}", timeout)

    def close(self):
        self.released.set()
        self.server.shutdown()
        self.server.server_close()
