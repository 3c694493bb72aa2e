"""A server of tools (Model Context Protocol, over its input and output) that has three, of which none does anything."""
import json
import sys

TOOLS = [
    {"name": "peek", "description": "Looks.", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
    {"name": "poke", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": True}},
    {"name": "bare", "inputSchema": {"type": "object"}},
]


def answer(message):
    if message["method"] == "initialize":
        return {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "test", "version": "1"}}
    return {"tools": TOOLS} if message["method"] == "tools/list" else {}


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer(message)}), flush=True)
