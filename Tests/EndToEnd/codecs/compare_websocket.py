#!/usr/bin/env python3
"""Compares our WebSocket decoder with wsproto, which nobody here wrote, on mutated frames, as a server and as a client.

Events and close codes must be equal. Each event is also written again by our encoder and must come out of wsproto's
other side as it was.
"""

import importlib.metadata
import struct

from wsproto.frame_protocol import FrameProtocol, Opcode, ParseFailed

from codec_probe import Comparison, mutated

# Close codes that ours takes and wsproto does not: 1014 (bad gateway) has been registered with IANA since RFC 6455.
NEWER_CLOSE_CODES = {1014}
MASK = b"\x37\xfa\x21\x3d"


def frame(first, payload, masked):
    if len(payload) < 126:
        length = struct.pack("!B", len(payload) | (masked << 7))
    elif len(payload) < 65536:
        length = struct.pack("!BH", 126 | (masked << 7), len(payload))
    else:
        length = struct.pack("!BQ", 127 | (masked << 7), len(payload))
    if masked:
        payload = MASK + bytes(byte ^ MASK[place & 3] for place, byte in enumerate(payload))
    return bytes([first]) + length + payload


def corpus(masked):
    def close(code, reason=b""):
        return frame(0x88, struct.pack("!H", code) + reason, masked)

    text = "Grüße 👋 κόσμε".encode()
    return [
        frame(0x81, text, masked) + frame(0x82, bytes(range(200)), masked),
        frame(0x01, text[:9], masked) + frame(0x89, b"ping", masked) + frame(0x80, text[9:], masked),
        frame(0x02, b"a", masked) + frame(0x00, b"", masked) + frame(0x8A, b"", masked) + frame(0x80, b"b", masked),
        frame(0x82, b"x" * 300, masked) + close(1000),
        frame(0x81, b"", masked) + close(1001, "Tschüß".encode()) + frame(0x81, b"late", masked),
        frame(0x89, b"y" * 125, masked) + frame(0x88, b"", masked),
        frame(0x81, b"z" * 126, masked) + close(4000),
    ] + [frame(0x81, text, masked) + close(code) for code in (1004, 1005, 1006, 1012, 1014, 1015, 1016, 2999, 5000)]


def palette(masked):
    frames = [
        frame(first, payload, masked)
        for first in (0x81, 0x01, 0x80, 0x00, 0x82, 0x89, 0x88, 0x8A)
        for payload in (b"", b"a", b"\xc3\xa9", b"\x03\xe8")
    ]
    return frames + [b"\x00", b"\x80", b"\xff", b"\x7e", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90", MASK, b"\xfe\x00\x7d"]


def wsproto_events(is_client, data):
    protocol = FrameProtocol(client=is_client, extensions=[])
    found, partial = [], b""
    try:
        protocol.receive_bytes(data)
        for frame in protocol.received_frames():
            if frame.opcode is Opcode.CLOSE:
                code, reason = frame.payload
                found.append({"type": "close", "code": None if code == 1005 else int(code), "data": reason.encode().hex()})
            elif frame.opcode.iscontrol():
                found.append({"type": frame.opcode.name.lower(), "data": bytes(frame.payload).hex()})
            else:
                partial += frame.payload.encode() if isinstance(frame.payload, str) else bytes(frame.payload)
                if frame.message_finished:
                    found.append({"type": frame.opcode.name.lower(), "data": partial.hex()})
                    partial = b""
    except ParseFailed as error:
        found.append({"type": "failure", "code": int(error.code)})
    return found


def noticed_later(is_client, data, ours, theirs):
    """Whether wsproto, too, refuses what ours ends with, but only when it has seen more bytes.

    Ours refuses a frame by its first two bytes, and text at the first byte that cannot be UTF-8. wsproto wants some
    payload first, and Python's decoder waits for the third byte of a surrogate; a fault after it may then be told instead.
    """
    if theirs == ours[:-1]:
        theirs = wsproto_events(is_client, data + bytes(140))
        return theirs == ours
    late_text = ours[-1]["code"] == 1007 and theirs[-1:] == [{"type": "failure", "code": 1002}]
    return late_text and theirs[:-1] == ours[:-1]


def compare(comparison, codec, data):
    is_client = codec == "C"
    kind = "to a client" if is_client else "to a server"
    events, complaint = comparison.check_splitting(codec, data)
    if complaint:
        return complaint
    ours = [{key: value for key, value in event.items() if key not in ("message", "frame")} for event in events]
    theirs = wsproto_events(is_client, data)
    last = ours[-1] if ours else {}
    if last.get("type") == "failure" and last["code"] == 1009:
        # wsproto has no ceiling and reads on.
        comparison.count(f"{kind}: over the ceiling")
        ours = ours[:-1]
        theirs = theirs[: len(ours)]
    if last.get("type") == "close" and last["code"] in NEWER_CLOSE_CODES:
        comparison.count(f"{kind}: close code newer than wsproto")
        ours, theirs, events = ours[:-1], theirs[:-1], events[:-1]
    if ours != theirs and last.get("type") == "failure" and noticed_later(is_client, data, ours, theirs):
        comparison.count(f"{kind}: refused by both, by ours some bytes earlier")
        theirs = ours
    if ours != theirs:
        return f"differ {kind}:\n       ours    {str(ours)[:300]}\n       wsproto {str(theirs)[:300]}"
    for event in ours:
        code = event.get("code")
        comparison.count(f"{kind}: {event['type']}" + (f" {code}" if event["type"] == "failure" else ""))
    written = b"".join(bytes.fromhex(event["frame"]) for event in events if "frame" in event)
    expected = [event for event in ours if event["type"] != "failure"]
    return None if wsproto_events(not is_client, written) == expected else f"written again {kind}, it reads differently"


def main():
    comparison = Comparison("WebSocket compared with wsproto " + importlib.metadata.version("wsproto"))
    sources = {codec: (corpus(codec == "S"), palette(codec == "S")) for codec in "SC"}
    for codec, (examples, _) in sources.items():
        for data in examples + [frame(0x82, b"x" * 70_000, codec == "S")]:
            comparison.result(compare(comparison, codec, data), data[:200])
    for number in range(comparison.options.count):
        codec = "C" if number % 4 == 3 else "S"
        examples, fillings = sources[codec]
        data = mutated(comparison.random, comparison.random.choice(examples), fillings)
        comparison.result(compare(comparison, codec, data), data[:200])
    comparison.finish()


if __name__ == "__main__":
    main()
