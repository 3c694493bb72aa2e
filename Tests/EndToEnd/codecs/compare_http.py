#!/usr/bin/env python3
"""Compares our HTTP/1.1 parsers with h11, which nobody here wrote, on mutated requests and responses.

Wherever both accept, the contents must be equal. Ours may refuse more; what ours accepts and h11 refuses must be one of
KNOWN, each with its reason.
"""

import re

import h11

from codec_probe import Comparison, mutated

# Name, reason, and whether an input that ours accepts and h11 refuses is such a case.
KNOWN = [
    (
        "blank before a chunk extension",
        "RFC 9112 section 7.1.1 tells a recipient to skip it; h11 takes it for a bad size",
        lambda data: re.search(rb"\r\n[0-9A-Fa-f]+[ \t]+;[^\r\n]*\r\n", data) is not None,
    ),
]

REQUESTS = [
    b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /health?a=b HTTP/1.0\r\nHost: a\r\nUser-Agent: x\r\n\r\n",
    b"POST /hooks/claude HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n"
    b'{"tool":"Bash"}',
    b"POST /rpc HTTP/1.1\r\nhost:a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\na;n=v\r\n0123456789\r\n0\r\n\r\n",
    b"POST /rpc HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n1 ;n\r\nx\r\n0\r\nSum: 1\r\nX-Y: \xc3\xa9\r\n\r\n",
    b"PUT /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
    b"GET /ws HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: [::1]:8766\r\nX-Empty:\r\nX-Blank: \t a \t b\t \r\n\r\n",
    b"GET http://h:1/p?q HTTP/1.1\r\nHost: other\r\n\r\n",
    b"GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nxGET /3 HTTP/1.1\r\n"
    b"Host: a\r\nConnection: close\r\n\r\nGET /4 HTTP/1.1\r\nHost: a\r\n\r\n",
]

RESPONSES = [
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 102 Processing\r\nCdev-Deadline: 1\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nnot\r\n6;x=y\r\n found\r\n0\r\nA: b\r\n\r\n",
    b"HTTP/1.0 200 OK\r\nServer: x\r\n\r\nuntil the connection closes",
    b"HTTP/1.1 204 No Content\r\n\r\n",
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x00",
    b"HTTP/1.1 304\r\nETag: \"x\"\r\nContent-Length: 9\r\n\r\n",
]

# With it h11 takes a 101, as ours does, which does not know what was asked.
UPGRADE = [("Host", "a"), ("Connection", "Upgrade"), ("Upgrade", "websocket")]

PALETTE = [
    b"\r\n", b"\n", b"\r", b" ", b"\t", b"\0", b":", b";", b",", b"\r\n\r\n", b"0\r\n\r\n", b"1\r\na\r\n", b"\x7f", b"\xff",
    b"\xc3\xa9", b"Host: b\r\n", b"Content-Length: 3\r\n", b"Content-Length: 03\r\n", b"Transfer-Encoding: chunked\r\n",
    b"Connection: close\r\n", b"Expect: 100-continue\r\n", b" folded\r\n", b"HTTP/1.0", b"HTTP/1.1", b"GET / HTTP/1.1\r\n",
    b"FFFFFFFFFFFFFFFFF", b"http://x", b"#",
]  # fmt: skip


def text(value):
    """A header value as ours reads it: UTF-8, what is not replaced."""
    return value.decode("utf-8", "replace").encode().hex()


def headers(event):
    return [[name.decode().lower(), text(value)] for name, value in event.headers]


def our_headers(event):
    return [[name.lower(), normalized(name.lower(), value)] for name, value in event["headers"]]


def normalized(name, value):
    # h11 shows the coding's name in lower case.
    return bytes.fromhex(value).lower().hex() if name == "transfer-encoding" else value


def h11_requests(data):
    """The requests h11 reads, and whether it refused something after them."""
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
    connection.receive_data(data)
    found = []
    try:
        while True:
            request = connection.next_event()
            if not isinstance(request, h11.Request):
                return found, False
            waits = connection.they_are_waiting_for_100_continue
            body = h11_body(connection)
            if body is None:
                return found, False
            keeps = answer(connection)
            found.append(
                {
                    "method": request.method.decode(),
                    "target": request.target.decode(),
                    "version": "HTTP/" + request.http_version.decode(),
                    "headers": headers(request),
                    "body": body.hex(),
                    "keep_alive": keeps,
                    "continue": waits and body != b"",
                }
            )
            if not keeps:
                return found, False
    except h11.RemoteProtocolError:
        return found, True


def h11_body(connection):
    body = b""
    while True:
        event = connection.next_event()
        if isinstance(event, h11.Data):
            body += event.data
        elif isinstance(event, h11.EndOfMessage):
            return body
        else:
            return None


def answer(connection):
    """Answers the request, so that h11 goes on to the next; whether it may."""
    connection.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
    connection.send(h11.EndOfMessage())
    if connection.our_state is not h11.DONE or connection.their_state is not h11.DONE:
        return False
    connection.start_next_cycle()
    return True


def our_requests(events):
    found, refused, waits = [], False, False
    for event in events:
        if event["type"] == "continue":
            waits = True
        elif event["type"] == "failure":
            refused = True
        else:
            keys = ("method", "target", "version", "body", "keep_alive")
            request = {key: event[key] for key in keys}
            found.append(request | {"headers": our_headers(event), "continue": waits and event["body"] != ""})
            waits = False
    return found, refused


def h11_responses(data):
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=1 << 20)
    connection.send(h11.Request(method="GET", target="/", headers=UPGRADE))
    connection.send(h11.EndOfMessage())
    found = []
    try:
        connection.receive_data(data)
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                connection.receive_data(b"")
                event = connection.next_event()
            if isinstance(event, h11.InformationalResponse) and event.status_code == 101:
                found.append(response("response", event, b""))
                return found, False
            if isinstance(event, h11.InformationalResponse):
                found.append(response("interim", event, b""))
            elif isinstance(event, h11.Response):
                body = b""
                while not isinstance(part := next_part(connection), h11.EndOfMessage):
                    body += part.data
                found.append(response("response", event, body))
                return found, False
            else:
                return found, False
    except h11.RemoteProtocolError:
        return found, True


def next_part(connection):
    part = connection.next_event()
    if part is h11.NEED_DATA:
        connection.receive_data(b"")
        part = connection.next_event()
    return part


def response(kind, event, body):
    return {
        "type": kind,
        "code": event.status_code,
        "reason": text(bytes(event.reason)),
        "headers": headers(event),
        "body": body.hex(),
    }


def our_responses(events):
    found = [event | {"headers": our_headers(event)} for event in events if event["type"] != "failure"]
    return found, any(event["type"] == "failure" for event in events)


def compare(comparison, data, ours, theirs, kind):
    """A complaint about two lists of messages, each with whether its reader then refused the rest; None if none."""
    (our_messages, we_refused), (their_messages, they_refused) = ours, theirs
    for mine, other in zip(our_messages, their_messages):
        comparison.count(f"{kind}: read by both")
        if mine != other:
            return f"read differently:\n       ours {mine}\n       h11  {other}"
    if len(our_messages) > len(their_messages):
        for name, reason, applies in KNOWN:
            if they_refused and applies(data):
                comparison.count(f"{kind}: read by ours only, known: {name} ({reason})")
                return None
        return f"ours reads what h11 {'refuses' if they_refused else 'waits for'}: {our_messages[len(their_messages)]}"
    if len(their_messages) > len(our_messages):
        comparison.count(f"{kind}: read by h11 only")
        return None if we_refused else "h11 reads what ours waits for"
    comparison.count(f"{kind}: refused by both" if we_refused and they_refused else f"{kind}: no more from either")
    return None


def check_target(event):
    """Path, query and authority must make up the target again."""
    if event["type"] != "request" or event["target"] == "*":
        return None
    query = "" if event["query"] is None else "?" + event["query"]
    rest = event["path"] + query
    if event["authority"] is not None:
        scheme, _, remainder = event["target"].partition("://")
        whole = scheme.lower() in ("http", "https") and (
            remainder in (event["authority"] + rest, event["authority"] + query)
        )
    else:
        whole = event["target"] == rest
    return None if whole else f"the target does not fall into its parts: {event}"


def one_request(comparison, data):
    events, complaint = comparison.check_splitting("H", data)
    complaint = complaint or next(filter(None, map(check_target, events)), None)
    return complaint or compare(comparison, data, our_requests(events), h11_requests(data), "requests")


def one_response(comparison, data):
    events, complaint = comparison.check_splitting("R", data)
    return complaint or compare(comparison, data, our_responses(events), h11_responses(data), "responses")


def main():
    comparison = Comparison("HTTP/1.1 compared with h11 " + h11.__version__)
    for data in REQUESTS:
        comparison.result(one_request(comparison, data), data)
    for data in RESPONSES:
        comparison.result(one_response(comparison, data), data)
    for number in range(comparison.options.count):
        corpus, one = (RESPONSES, one_response) if number % 4 == 3 else (REQUESTS, one_request)
        data = mutated(comparison.random, comparison.random.choice(corpus), PALETTE)
        comparison.result(one(comparison, data), data)
    comparison.finish()


if __name__ == "__main__":
    main()
