#!/usr/bin/env python3
"""Writes the tables of methods and events in docs/protocol.md, from what the daemon of the debug build says of itself.

    .build/venv/bin/python Tests/EndToEnd/run.py --command .build/venv/bin/python Tests/EndToEnd/publish.py
"""
from harness import page
from harness.daemon import Cdev
from harness.sandbox import Sandbox


def main():
    sandbox = Sandbox()
    try:
        document = Cdev(sandbox).start().local.call("rpc.discover")
    finally:
        sandbox.close()
    page.PAGE.write_text(page.written(document))
    print("docs/protocol.md is written; read what it says before you commit it")


if __name__ == "__main__":
    main()
