"""The Python client's calls on collections, one file per group, and their requests."""

from __future__ import annotations

from pathlib import Path

import names
import page
from shapes import COLLECTION_TTLS, Argument, Group, Method, Operation, Table

import python

_REQUESTS = f"{python.INTERNAL}/operations/_generated/collection_requests.py"
# Parameters that the docstrings do not describe.
_KNOWN = ("name", "value")
# The writers of lists of messages.
_LISTS = {
    "DictionaryItem": "items",
    "SortedSetElement": "scored",
    "ListRange": "ranges",
    "SortedSetSource": "sources",
}


def outputs(table: Table, root: Path) -> dict[str, str]:
    groups = [each for each in table.groups if python.is_collection(each)]
    if not groups:
        return {}
    files = {f"{python.INTERNAL}/collections/_generated/{group.name}.py": _file(group) for group in groups}
    return files | {_REQUESTS: _requests([each for group in groups for each in group.operations])}


def _file(group: Group) -> str:
    calls = [_call(operation, method) for operation in group.operations for method in operation.methods]
    body = f'''class {names.pascal(group.name)}(CacheCalls):
    """{group.doc}"""

{chr(10).join(calls)}'''
    return f'''# {page.WRITTEN}
"""{group.doc}"""

from __future__ import annotations

{python.imports(body)}

{body}'''


def _call(operation: Operation, method: Method) -> str:
    items = python.signature(operation, method, ["self"])
    head = python.defined(f"async def {names.snake(method.name)}", items, f" -> r.{operation.response}:")
    more = [f"`{each.name}`: {python.doc(each.doc)}" for each in method.parameters if each.name not in _KNOWN]
    head += python.docstring(python.doc(method.doc), more, 8)
    name = names.snake(operation.name)
    request = "key" if _is_name_alone(operation) else name
    given = [f"op.{name.upper()}", f"self._requests.{request}"]
    given += [each.parameter.name for each in _arguments(operation)]
    return head + python.defined("return await self._send", given, "", 8)


def _is_name_alone(operation: Operation) -> bool:
    return not operation.body and [each.parameter.name for each in operation.arguments] == ["name"]


def _arguments(operation: Operation) -> list[Argument]:
    """Return the arguments in the order of their fields."""
    return [*operation.arguments, *(operation.body.arguments if operation.body else [])]


def _requests(operations: list[Operation]) -> str:
    made = "\n".join(_request(each) for each in operations if not _is_name_alone(each))
    body = f'''class CollectionRequests:
    """Encodes requests for one client, with its default for a missing time to live."""

    def __init__(self, default_ttl_ms: int) -> None:
        self._default_ttl_ms = default_ttl_ms

    def _ttl(self, ttl: Ttl | None) -> int:
        return self._default_ttl_ms if ttl is None else to_ttl_ms(ttl)

{made}'''
    return f'''# {page.WRITTEN}
"""Encodes collection calls as requests. Raises TypeError or arguments.Refusal for invalid arguments."""

from __future__ import annotations

{python.imports(body)}

{body}'''


def _request(operation: Operation) -> str:
    items = [f"{each.parameter.name}: {python.parameter_type(each.parameter)}" for each in _arguments(operation)]
    head = python.defined(f"def {names.snake(operation.name)}", ["self", *items], " -> bytes:")
    parts = {each.number: _field(each) for each in operation.arguments}
    parts |= {number: f"codec.number_field({number}, 1)" for number in operation.flags}
    if operation.body:
        parts[operation.body.path[0]] = _body(operation.body.path, operation.body.arguments)
    made = "".join(f"            {parts[number]},\n" for number in sorted(parts))
    return f"{head}        return wire.message(\n{made}        )\n"


def _body(path: tuple[int, ...], arguments: list[Argument]) -> str:
    """Return nested messages, on as many lines as necessary."""
    content = [_field(each) for each in arguments] or ['b""']
    *outer, inner = path
    made = python.defined("wire.within", [str(inner), *content], "", 12).strip()
    for number in reversed(outer):
        made = f"wire.within({number}, {made})"
    return made


def _field(argument: Argument) -> str:
    """Return the code for a field, or for several fields that belong to one argument."""
    given, number, name = argument.parameter, argument.number, argument.parameter.name
    if given.kind in COLLECTION_TTLS:
        writer = "ttl" if given.kind == "collection_ttl" else "kept_ttl"
        return f"wire.{writer}({number}, {argument.refresh}, ttl, self._default_ttl_ms)"
    if given.parts:
        return f"wire.{_LISTS[given.kind]}({number}, {name})"
    if given.choices:
        return f"wire.choice({number}, {given.kind}, {name})"
    if given.kind == "bytes" and given.repeated:
        return f"wire.{'names' if name == 'fields' else 'elements'}({number}, {name})"
    match given.kind:
        case "bytes":
            reader = "to_key" if given.is_key else "wire.to_field" if name == "field" else "to_bytes"
            return f"codec.bytes_field({number}, {reader}({name}))"
        case "int64":
            return f'codec.number_field({number}, to_int64("{name}", {name}))'
        case "ttl":
            return f"codec.number_field({number}, self._ttl(ttl))"
        case "uint32":
            return f'wire.count({number}, "{name}", {name})'
        case "uint64":
            return f'wire.count({number}, "{name}", {name}, bits=64)'
        case "sint32":
            return f'wire.signed({number}, "{name}", {name})'
        case "double":
            return f'wire.score({number}, "{name}", {name})'
        case "index":
            return f'wire.index({number}, {argument.unbounded}, "{name}", {name})'
        case "score_bound" if argument.exclusive:
            return f'wire.bound_alone({number}, {argument.exclusive}, {argument.unbounded}, "{name}", {name})'
        case "score_bound":
            return f'wire.bound({number}, {argument.unbounded}, "{name}", {name})'
    raise ValueError(
        f"{name}: cannot generate Python code that encodes a {given.kind} for a call on a collection; "
        'set "methods" in the column "hand"'
    )
