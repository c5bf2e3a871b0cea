"""The JSON schemas of schema/, closed: a key that nobody described is a mistake of ours, though users are told
to expect new ones."""
import json

import jsonschema


def closed(schema):
    if isinstance(schema, list):
        return [closed(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    out = {k: closed(v) for k, v in schema.items()}
    if "properties" in schema and "type" in schema:
        out.setdefault("additionalProperties", False)
    return out


def load(path, leave_open=()):
    """A validator. The definitions of leave_open stand for documents of another schema."""
    with open(path, encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    out = closed(schema)
    for name in leave_open:
        out["$defs"][name] = schema["$defs"][name]
    return jsonschema.Draft202012Validator(out)
