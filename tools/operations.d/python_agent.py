"""The Python agent's operations: a line of JSON as a call, its answer as a line (conformance/AGENT.md)."""

from __future__ import annotations

from pathlib import Path

import names
import page
from table import Case, Method, Operation, Parameter, Table, Value

import python


def outputs(table: Table, root: Path) -> dict[str, str]:
    return {"clients/python/agent/calls.py": _calls(table)}


def _calls(table: Table) -> str:
    own = [each for each in table.operations if "methods" not in each.hand and each.name != "ListCaches"]
    calls = "".join(_call(operation, method) for operation in own for method in operation.methods)
    told: dict[str, str] = {}
    for operation in own:
        for case in operation.cases:
            name = python.case_class(operation, case)
            # What the answers of get, set and batches share is said by hand.
            if name not in python.SHARED.values() and not {"codec", "server"} <= operation.hand:
                told[name] = _answer(name, case)
    return f'''# {page.WRITTEN}
"""The operations of conformance/AGENT.md that are one call of the client each."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Any

from agent.fields import data, shown, timeout, ttl
from larder_cache import CacheClient
from larder_cache import responses as r


def calls(c: CacheClient) -> dict[str, Callable[[str, dict[str, Any]], Awaitable[Any]]]:
    """Return op → what runs it, given the cache and the request."""
    return {{
{calls}    }}


def answer_of(response: Any) -> dict[str, Any] | None:
    """Return an answer's line; None for one that is not of these operations alone."""
    match response:
{"".join(told.values())}        case _:
            return None
'''


def _call(operation: Operation, method: Method) -> str:
    given = ["cache"] if operation.is_scoped or operation.arguments else []
    given += [_read(each) for each in method.parameters if each.name != "name"]
    given.append("timeout_s=timeout(q)")
    name = names.snake(method.name)
    line = f'        "{method.name}": lambda cache, q: c.{name}({", ".join(given)}),\n'
    if len(line) <= page.WIDTH["py"] + 1:
        return line
    return f'        "{method.name}": lambda cache, q: c.{name}(\n            {", ".join(given)}\n        ),\n'


def _read(parameter: Parameter) -> str:
    name = names.camel(parameter.name)
    match parameter.kind:
        case "ttl":
            return "ttl=ttl(q)"
        case "new_ttl":
            return "ttl(q) or 0"
        case "bytes":
            return f'data(q, "{name}")'
        case "bool":
            return f'{parameter.name}=bool(q.get("{name}"))'
        case "int64" | "uint64" | "uint32":
            return f'int(q["{name}"])'
    raise ValueError(f'{parameter.name}: an agent reads a {parameter.kind} by hand (column hand, "methods")')


def _answer(name: str, case: Case) -> str:
    result = f'"result": "{names.camel(case.name)}"'
    if not case.values:
        return f"        case r.{name}():\n            return {{{result}}}\n"
    fields = ", ".join([result, *map(_value, case.values)])
    return f"        case r.{name}({', '.join(each.name for each in case.values)}):\n            return {{{fields}}}\n"


def _value(value: Value) -> str:
    name = names.camel(value.name)
    match value.kind:
        case "bytes":
            # A hash is opaque: never text.
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
