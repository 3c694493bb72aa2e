"""A TCP proxy between a browser and the daemon that cuts, stalls, or does not let WebSockets through."""
import selectors
import socket
import threading


class Proxy:
    """Forwards connections to a (host, port) until told otherwise."""

    def __init__(self, box, target):
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.lock = threading.Lock()
        self.pairs, self.refusing, self.stalled, self.blocks_websocket = set(), False, threading.Event(), False
        self.stalled.set()  # set: bytes flow
        self.closed = False
        threading.Thread(target=self._accept, daemon=True).start()
        box.on_close(self.close)

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.refusing:
                client.close()
                continue
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            server = socket.create_connection(self.target)
        except OSError:
            client.close()
            return
        with self.lock:
            self.pairs.add((client, server))
        try:
            self._pump(client, server)
        except OSError:
            pass
        finally:
            self._end(client, server)

    def _pump(self, client, server):
        with selectors.DefaultSelector() as selector:
            selector.register(client, selectors.EVENT_READ, server)
            selector.register(server, selectors.EVENT_READ, client)
            while True:
                for key, _ in selector.select():
                    data = key.fileobj.recv(65536)
                    if not data:
                        return
                    self.stalled.wait()
                    if key.fileobj is client:
                        data = self._for_daemon(data, client)
                    if data:
                        key.data.sendall(data)

    def _for_daemon(self, data, client):
        # The page's address is the proxy's; the daemon serves its own.
        data = data.replace(f"127.0.0.1:{self.port}".encode(), f"127.0.0.1:{self.target[1]}".encode())
        if self.blocks_websocket and b"\r\nUpgrade: websocket" in data:
            client.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            client.shutdown(socket.SHUT_RDWR)
            return b""
        return data

    def _end(self, *sockets):
        with self.lock:
            self.pairs.discard(sockets)
        for each in sockets:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()

    # What a test does to it

    def cut(self):
        """Ends every connection and takes no new one."""
        self.refusing = True
        with self.lock:
            pairs = list(self.pairs)
        for pair in pairs:
            for each in pair:
                try:
                    each.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def mend(self):
        self.refusing = False
        self.stalled.set()

    def stall(self):
        """Connections stay, and nothing goes through them any more."""
        self.stalled.clear()

    def close(self):
        self.closed = True
        self.mend()
        self.listener.close()
        self.cut()
