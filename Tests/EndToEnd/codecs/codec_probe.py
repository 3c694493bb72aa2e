"""What the comparisons share: the probe's pipe, mutated inputs, counting."""

import argparse
import json
import pathlib
import random
import struct
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Probe:
    """Our codecs, in their own process (see probe/Probe.swift)."""

    def __init__(self, path):
        if not pathlib.Path(path).exists():
            sys.exit(f"{path} is not there; build it with: swift build --product codec-probe")
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def events(self, codec, data, piece=0):
        """What `codec` makes of `data` fed `piece` bytes at a time (0: all at once)."""
        message = codec.encode() + bytes([piece]) + data
        self.process.stdin.write(struct.pack("!I", len(message)) + message)
        self.process.stdin.flush()
        prefix = self.process.stdout.read(4)
        if len(prefix) < 4:
            raise SystemExit(f"the probe died of {codec} {data!r} in pieces of {piece}")
        return json.loads(self.process.stdout.read(struct.unpack("!I", prefix)[0]))["events"]


class Comparison:
    """Counts what agreed and shows what did not."""

    def __init__(self, description):
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--count", type=int, default=20_000, help="mutated inputs (default %(default)s)")
        parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
        parser.add_argument("--probe", default=ROOT / ".build" / "debug" / "codec-probe")
        self.options = parser.parse_args()
        self.random = random.Random(self.options.seed)
        self.probe = Probe(self.options.probe)
        self.passed = self.failed = 0
        self.counts = {}
        self.started = time.monotonic()
        print(f"{description}: {self.options.count} inputs, seed {self.options.seed}")

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def result(self, complaint, data):
        if complaint is None:
            self.passed += 1
            return
        self.failed += 1
        if self.failed <= 10:
            print(f"FAILED {complaint}\n       {data!r}")

    def check_splitting(self, codec, data):
        """Our events, and a complaint if they depend on how the bytes are cut."""
        whole = self.probe.events(codec, data)
        piece = self.random.randint(1, 20)
        if self.probe.events(codec, data, piece) != whole:
            return whole, f"in pieces of {piece} bytes the events differ"
        return whole, None

    def finish(self):
        for what in sorted(self.counts):
            print(f"  {self.counts[what]:7} {what}")
        print(f"{time.monotonic() - self.started:.1f} s")
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed else 0)


def mutated(rng, data, palette, most=4):
    """`data` with up to `most` places changed, dropped, doubled or filled from `palette`."""
    data = bytearray(data)
    for _ in range(rng.randint(0, most)):
        start = rng.randint(0, len(data))
        end = min(len(data), start + rng.randint(0, 6))
        kind = rng.randrange(5)
        if kind == 0:
            data[start:start] = rng.choice(palette)
        elif kind == 1:
            del data[start:end]
        elif kind == 2:
            data[start:start] = data[start:end]
        elif kind == 3:
            data[start:end] = rng.choice(palette)
        elif start < len(data):
            data[start] = rng.randrange(256)
    return bytes(data)
