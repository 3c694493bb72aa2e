"""The events that a test was sent, compared with the daemon's own document of them."""
from . import openrpc

_validators = {}


def learn(call):
    """Reads the document, once for all tests."""
    if not _validators:
        document = openrpc.closed(call("rpc.discover"))
        for notification in document["x-notifications"]:
            _validators[notification["name"]] = openrpc.validator(notification["params"], document)


def faults(event):
    """What is wrong with an event, one line for each place."""
    if event["method"] not in _validators:
        return [f"{event['method']} is not in the document"]
    truncated = event["params"].get("truncated")
    if isinstance(truncated, dict) and "$" in truncated:
        # Members were left out.
        return []
    return [f"{event['method']} {fault}" for fault in openrpc.listed(_validators[event["method"]], event["params"])]
