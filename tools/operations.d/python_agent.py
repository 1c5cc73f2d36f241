"""The Python agent's operations: convert a JSON line to a call, and its response to JSON (conformance/AGENT.md)."""

from __future__ import annotations

from pathlib import Path

import names
import page
from shapes import COLLECTION_TTLS, Case, Method, Operation, Parameter, Table, Value

import python


def outputs(table: Table, root: Path) -> dict[str, str]:
    return {"clients/python/agent/calls.py": _calls(table)}


def _calls(table: Table) -> str:
    called = table.operations
    own = [each for each in called if "methods" not in each.hand and each.name != "ListCaches"]
    data = "".join(_call(each, method) for each in own if each.is_scoped for method in each.methods)
    control = "".join(_control(each, method) for each in own if not each.is_scoped for method in each.methods)
    told: dict[str, str] = {}
    for operation in own:
        for case in operation.cases:
            name = python.case_class(operation, case)
            # The shared conversion of the responses of get, set and batches is handwritten.
            if name not in python.SHARED.values() and not {"codec", "server"} <= operation.hand:
                told[name] = _answer(name, case)
    return f'''# {page.WRITTEN}
"""The operations of conformance/AGENT.md that make one client call each."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Any

from agent import lists
from agent.fields import data, shown, timeout, ttl
from larder_cache import CacheClient, CacheResults, SortedSetAggregate, SortedSetOrder
from larder_cache import responses as r

# For each operation name, the function that runs the operation. Its arguments are the cache and the request.
DATA: dict[str, Callable[[CacheResults, dict[str, Any]], Awaitable[Any]]] = {{
{data}}}

# For each operation of the client itself, the function that runs it. Its arguments are the client, the name of the
# cache and the request.
CONTROL: dict[str, Callable[[CacheClient, str, dict[str, Any]], Awaitable[Any]]] = {{
{control}}}


def answer_of(response: Any) -> dict[str, Any] | None:
    """Return the fields for a response. Returns None for a response type that other operations also return."""
    match response:
{"".join(told.values())}        case _:
            return None
'''


def _call(operation: Operation, method: Method) -> str:
    given = [_read(each) for each in method.parameters]
    return python.defined(f'"{method.name}": lambda c, q: c.{names.snake(method.name)}', given, ",")


def _control(operation: Operation, method: Method) -> str:
    given = [*(["name"] if operation.arguments else []), "timeout_s=timeout(q)"]
    return python.defined(f'"{method.name}": lambda c, name, q: c.{names.snake(method.name)}', given, ",")


def _read(parameter: Parameter) -> str:
    if not parameter.is_optional or parameter.default == 1 or parameter.kind in ("ttl", *COLLECTION_TTLS):
        return _reader(parameter)
    return f"{parameter.name}={_reader(parameter)}"


# The readers of lists of messages.
_LISTS = {"DictionaryItem": "items", "SortedSetElement": "scored", "ListRange": "ranges", "SortedSetSource": "sources"}


def _reader(parameter: Parameter) -> str:
    name = names.camel(parameter.name)
    if parameter.parts:
        return f'lists.{_LISTS[parameter.kind]}(q, "{name}")'
    if parameter.choices:
        return f'lists.choice(q, "{name}", {parameter.kind}.{parameter.default})'
    match parameter.kind:
        case "ttl":
            return "ttl=ttl(q)"
        case "collection_ttl" | "kept_ttl":
            return "ttl=lists.collection_ttl(q)"
        case "new_ttl":
            return "ttl(q) or 0"
        case "bytes" if parameter.repeated:
            return f'lists.elements(q, "{name}")'
        case "bytes":
            return f'data(q, "{"key" if parameter.is_key else name}")'
        case "bool":
            return f'bool(q.get("{name}"))'
        case "int64" | "uint64" | "uint32" | "sint32" if parameter.default is not None:
            return f'int(q.get("{name}", {parameter.default}))'
        case "int64" | "uint64" | "uint32" | "sint32":
            return f'int(q["{name}"])'
        case "double":
            return f'lists.score(q.get("{name}", 1))'
        case "index":
            return f'q.get("{name}")'
        case "score_bound":
            return f'lists.bound(q, "{name}")'
    raise ValueError(
        f"{parameter.name}: cannot generate Python agent code that reads a {parameter.kind}; "
        'set "methods" in the column "hand"'
    )


def _answer(name: str, case: Case) -> str:
    result = f'"result": "{names.camel(case.name)}"'
    if not case.values:
        return f"        case r.{name}():\n            return {{{result}}}\n"
    fields = ", ".join([result, *map(_value, case.values)])
    return f"        case r.{name}({', '.join(each.name for each in case.values)}):\n            return {{{fields}}}\n"


def _value(value: Value) -> str:
    name = names.camel(value.name)
    if value.repeated and (value.kind == "bytes" or value.kind == "double" or value.parts):
        # Converts bytes, or pairs of bytes and scores.
        return f'"{name}": lists.told({value.name})'
    match value.kind:
        case "double":
            return f'"{name}": lists.told({value.name})'
        case "bytes":
            # A hash is opaque, so it is never shown as text.
            return (
                f'"{name}Base64": base64.b64encode({value.name}).decode()'
                if name == "hash"
                else f'**shown("{name}", {value.name})'
            )
        case "ItemType":
            return f'"{name}": {value.name}.value'
        case "int64":
            return f'"{"number" if name == "value" else name}": str({value.name})'
    return f'"{name}": {value.name}'
