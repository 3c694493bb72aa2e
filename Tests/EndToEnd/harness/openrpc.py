"""The OpenRPC document of the daemon, and JSON Schema by PyPI `jsonschema`.

`META` is the meta-schema of OpenRPC 1.3.2 as far as the document uses it, written from the specification
(spec.open-rpc.org): every object it names, with the members it requires and no others.
"""
import copy

import jsonschema

from .checks import WHOLE_SECONDS

DRAFT = jsonschema.Draft7Validator
FORMATS = jsonschema.FormatChecker(formats=())
FORMATS.checks("date-time")(lambda value: not isinstance(value, str) or bool(WHOLE_SECONDS.fullmatch(value)))

TEXT = {"type": "string", "minLength": 1}


def _object(required, optional):
    return {"type": "object", "required": sorted(required), "properties": {**required, **optional},
            "patternProperties": {"^x-": {}}, "additionalProperties": False}


SCHEMA = {"$ref": "http://json-schema.org/draft-07/schema#"}
DESCRIPTOR = _object(
    {"name": TEXT, "schema": SCHEMA},
    {"summary": {"type": "string"}, "description": {"type": "string"}, "required": {"type": "boolean"},
     "deprecated": {"type": "boolean"}})
METHOD = _object(
    {"name": TEXT, "params": {"type": "array", "items": DESCRIPTOR}},
    {"summary": {"type": "string"}, "description": {"type": "string"}, "result": DESCRIPTOR,
     "paramStructure": {"enum": ["by-name", "by-position", "either"]}, "deprecated": {"type": "boolean"}})
INFO = _object({"title": {"type": "string"}, "version": {"type": "string"}}, {"description": {"type": "string"}})
COMPONENTS = {"type": "object", "additionalProperties": False, "properties": {
    "schemas": {"type": "object", "patternProperties": {"^[a-zA-Z0-9._-]+$": SCHEMA}, "additionalProperties": False}}}
META = _object(
    {"openrpc": {"enum": ["1.3.0", "1.3.1", "1.3.2"]}, "info": INFO, "methods": {"type": "array", "items": METHOD}},
    {"components": COMPONENTS})


def faults(value, schema, document=None):
    """What is wrong with a value, one line for each place; references lead into the document."""
    return listed(validator(schema, document), value)


def validator(schema, document=None):
    root = {**schema, "components": (document or {}).get("components", {})}
    return DRAFT(root, format_checker=FORMATS)


def listed(found_by, value):
    return [f"{error.json_path}: {error.message[:300]}" for error in found_by.iter_errors(value)]


def references(schema):
    """Every `$ref` in a schema."""
    if isinstance(schema, list):
        return [found for element in schema for found in references(element)]
    if not isinstance(schema, dict):
        return []
    own = [schema["$ref"]] if isinstance(schema.get("$ref"), str) else []
    return own + [found for value in schema.values() for found in references(value)]


def closed(document):
    """The document with objects that may have no members but those they name: what a version answers is declared."""
    document = copy.deepcopy(document)
    for method in document["methods"]:
        _close(method["result"]["schema"])
    for schema in document["components"]["schemas"].values():
        _close(schema)
    for notification in document["x-notifications"]:
        _close(notification["params"])
    return document


def _close(schema):
    if isinstance(schema, list):
        for element in schema:
            _close(element)
    elif isinstance(schema, dict):
        if "properties" in schema and schema.get("type") in ("object", ["object", "null"]):
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            _close(value)


def bad_values(schema):
    """Values that a schema refuses, each with the kind of its fault."""
    if "oneOf" in schema:
        yield "type", 7
        return
    kind = schema.get("type")
    others = {"string": 7, "integer": "7", "boolean": "true", "object": [], "array": {}}
    yield "type", others[kind]
    if kind == "object":
        yield "type", "text"
    if "enum" in schema:
        yield "choice", "no such choice"
    if schema.get("format") == "date-time":
        yield "time", "yesterday"
        yield "time", "2026-02-29T00:00:00Z"
    if "minimum" in schema:
        yield "range", schema["minimum"] - 1
        yield "range", schema["minimum"] + 0.5
    if "maximum" in schema:
        yield "range", schema["maximum"] + 1
    if "maxLength" in schema:
        yield "length", "x" * (schema["maxLength"] + 1)
    if kind == "array":
        yield "element", [7]
    if "minItems" in schema:
        yield "count", []
    if "maxItems" in schema:
        yield "count", [{}] * (schema["maxItems"] + 1)
    if isinstance(schema.get("additionalProperties"), dict):
        yield "member", {"x": 7}
    for name, member in schema.get("properties", {}).items() if kind == "object" else ():
        for fault, value in bad_values(member):
            yield f"{fault} of {name}", {name: value}
