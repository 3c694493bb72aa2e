"""The tables of methods and events in docs/protocol.md, written from the OpenRPC document."""
import pathlib

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/protocol.md"
# What the page says of all events.
OF_EVERY_EVENT = {"agent", "session_id", "workspace_id", "timestamp", "sequence", "truncated"}


def written(document):
    """The whole page, its tables made anew."""
    methods = _methods(document) + _order(document) + _parameters(document) + _shapes(document)
    return _replaced(_replaced(PAGE.read_text(), "methods", methods), "events", _events(document))


def _replaced(page, name, text):
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, rest = page.split(begin)
    _, after = rest.split(end)
    return before + begin + "\n" + text + end + after


def _table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "".join(("| " + " | ".join(line) + " |\n").replace("|  ", "| ").replace("|  ", "| ") for line in lines) + "\n"


def _methods(document):
    rows = [[
        f"`{method['name']}`", method.get("x-right", ""), method["summary"],
        ", ".join(f"`{p['name']}`" for p in method["params"]), _result(method["result"]["schema"]),
    ] for method in document["methods"]]
    return _table(["method", "right", "", "parameters", "result"], rows)


def _events(document):
    card = _own(document["components"]["schemas"]["Card"])
    rows = []
    for event in document["x-notifications"]:
        own = _own(event["params"])
        members = "those of `Card`" if own["properties"].keys() == card["properties"].keys() else _members(own)
        rows.append([f"`{event['name'].removeprefix('event/')}`", event["summary"], members])
    return _table(["event", "when", "members"], rows)


def _own(schema):
    """An event's schema without the members of all events."""
    members = {name: member for name, member in schema["properties"].items() if name not in OF_EVERY_EVENT}
    return {**schema, "properties": members}


def _order(document):
    """What is not worked off in order."""
    ways = {method["name"]: method["x-scheduling"] for method in document["methods"] if "x-scheduling" in method}
    limits = {way["beside"] for way in ways.values() if "beside" in way}
    beside = ", ".join(f"`{name}`" for name, way in ways.items() if "beside" in way)
    waiting = ", ".join(f"`{name}` with `{way['waits']}`" for name, way in ways.items() if "waits" in way)
    return (f"What was sent behind {beside} and {waiting} may be done and answered before them. Of the former at most "
            f"{max(limits)} of a connection are at work; what comes then waits. Of the latter a second call ends the "
            "first.\n\n")


def _result(schema):
    if "oneOf" in schema:
        return "; or ".join(map(_result, schema["oneOf"]))
    if not schema.get("properties"):
        return schema.get("description") or _kind(schema) or "empty"
    if "description" in schema:
        return schema["description"]
    return _members(schema)


def _parameters(document):
    """Each once, with the methods that take it in this sense."""
    methods = {}
    for method in document["methods"]:
        for parameter in method["params"]:
            needed = "required" if parameter["required"] else ""
            row = (parameter["name"], needed or _value(parameter["schema"]), parameter["description"])
            methods.setdefault(row, []).append(f"`{method['name']}`")
    rows = [[f"`{name}`", ", ".join(users), value, text] for (name, value, text), users in sorted(methods.items())]
    return "### Parameters\n\n" + _table(["parameter", "of", "", ""], rows)


def _value(schema):
    """What a parameter may be, and what it is where it is left out."""
    kinds = {"array": "a list", "boolean": "true or false", "object": "an object"}
    text = "a time" if "format" in schema else _kind(schema) or kinds.get(schema["type"], "")
    if "minimum" in schema:
        text = f"{schema['minimum']} to {schema['maximum']}" if "maximum" in schema else f"from {schema['minimum']}"
    default = schema.get("default")
    if default is not None:
        shown = str(default).lower() if isinstance(default, bool) else default
        text += f"{'; ' if text else ''}else `{shown}`"
    return text


def _shapes(document):
    said = {parameter["description"] for method in document["methods"] for parameter in method["params"]}
    schemas = document["components"]["schemas"]
    rows = [[f"`{name}`", _result(_without(said, schemas[name]))] for name in sorted(schemas)]
    return ("### Shapes\n\nA member with `?` is not always there. Later versions may have more members.\n\n"
            + _table(["shape", "members"], rows))


def _without(said, schema):
    """The schema without what the table of parameters says already."""
    members = {name: {key: value for key, value in member.items() if not (key == "description" and value in said)}
               for name, member in schema.get("properties", {}).items()}
    return {**schema, "properties": members} if members else schema


def _members(schema):
    needed = schema.get("required", [])
    return ", ".join(_member(name, member, name in needed) for name, member in schema["properties"].items())


def _member(name, schema, is_needed):
    kind = _kind(schema)
    is_nullable = kind == "null" or kind.endswith(" or null")
    kind = "" if kind == "null" else kind.removesuffix(" or null")
    text = ", ".join(filter(None, [kind, schema.get("description")]))
    shown = f"`{name}`{'' if is_needed else '?'}" + (" or null" if is_nullable else "")
    return f"{shown} ({text})" if text else shown


# Of a value that may be of several kinds.
OTHERS = {"string": "a text"}


def _kind(schema):
    """The kind of a value in a few words; nothing where the name says enough."""
    if "allOf" in schema:
        return _kind(schema["allOf"][0])
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return " or ".join(_kind(alternative) or OTHERS.get(alternative.get("type"), "another") for alternative in schema[word])
    if "$ref" in schema:
        return f"`{schema['$ref'].rsplit('/')[-1]}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " or ".join(filter(None, [_kind({**schema, "type": kind[0]}), *kind[1:]]))
    if kind == "null":
        return "null"
    if kind == "array":
        return "each " + _kind(schema["items"]) if _kind(schema["items"]) else "a list"
    if schema.get("properties"):
        return _members(schema)
    return {"boolean": "", "string": "", "integer": "", "object": ""}.get(kind, "")
