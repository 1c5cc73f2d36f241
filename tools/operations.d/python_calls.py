"""The Python client's calls on items and caches, and their requests.

The calls on collections are in python_collections.py.
"""

from __future__ import annotations

from pathlib import Path

import names
import page
from shapes import Method, Operation, Parameter, Table

import python

_CLIENT = f"{python.PACKAGE}/client.py"
_REQUESTS = f"{python.INTERNAL}/operations/requests.py"
_RESULTS = f"{python.PACKAGE}/cache_results.py"
# The parameters that the docstrings do not describe.
_KNOWN = ("key", "value", "ttl", "name")
# The timeout parameter of calls that have no handle.
_TIMEOUT = ("*", "timeout_s: float | None = None")


def outputs(table: Table, root: Path) -> dict[str, str]:
    groups = [each for each in table.groups if not python.is_collection(each)]
    called = [each for group in groups for each in group.operations if "methods" not in each.hand]
    # get and set are handwritten because they are performance-critical.
    own = [each for each in called if not {"codec", "server"} <= each.hand]
    scoped = [each for each in own if each.is_scoped]
    parts = {
        _CLIENT: [
            _control(operation, method) for operation in own if operation not in scoped for method in operation.methods
        ],
        _REQUESTS: [_request(operation) for operation in scoped if operation.methods and not _is_key_alone(operation)],
        _RESULTS: [_call(operation, method) for operation in scoped for method in operation.methods],
    }
    return {
        path: page.region(root / path, path.rsplit("/")[-1].removesuffix(".py"), "\n" + "\n".join(texts) + "\n")
        for path, texts in parts.items()
    }


def _is_key_alone(operation: Operation) -> bool:
    return not operation.arms and [each.parameter.name for each in operation.arguments] == ["key"]


def _call(operation: Operation, method: Method) -> str:
    """Return a method of a cache's handle, which returns a response."""
    name = names.snake(operation.name)
    items = python.signature(operation, method, ["self"])
    head = python.defined(f"async def {names.snake(method.name)}", items, f" -> r.{operation.response}:")
    head += python.docstring(python.doc(method.doc), _docs(method), 8)
    request = "key" if _is_key_alone(operation) else name
    given = [f"op.{name.upper()}", f"self._requests.{request}", *_given(operation, method)]
    return head + python.defined("return await self._send", given, "", 8)


def _control(operation: Operation, method: Method) -> str:
    """Return a method of the client, which returns a value and raises CacheError."""
    items = [*python.signature(operation, method, ["self"]), *_TIMEOUT]
    (case,) = operation.cases
    returns = f"r.{python.case_class(operation, case)}" if case.values else "None"
    head = python.defined(f"async def {names.snake(method.name)}", items, f" -> {returns}:")
    head += python.docstring(python.doc(method.doc), _docs(method), 8)
    sent = f"op.{names.snake(operation.name).upper()}"
    if operation.arguments:
        call = f"await self._control({sent}, name, timeout_s)"
    else:
        call = f'checked(await self._calls.run({sent}, "", b"", timeout_s))'
    return f"{head}        {'return ' if case.values else ''}{call}\n"


def _docs(method: Method) -> list[str]:
    return [
        f"`{each.name}`: {python.doc(each.doc)}"
        for each in method.parameters
        if each.name not in _KNOWN and each.default is not None
    ]


def _given(operation: Operation, method: Method) -> list[str]:
    """Return the arguments of a method's request: the arm's number, the parameters and the arm's payload."""
    arm = [str(method.arm.number)] if method.arm else []
    given = [each.parameter.name for each in operation.arguments]
    carried = method.arm.parameter.name if method.arm and method.arm.parameter else ""
    return [*arm, *given, *([carried] if carried and carried not in given else [])]


def _request(operation: Operation) -> str:
    """Return the code of a method that encodes a request.

    The fields are in the order of their numbers. If the request has a oneof, the method has the parameter `arm`.
    """
    items = ["self", *(["arm: int"] if operation.arms else [])]
    fields = [_field(str(each.number), each.parameter) for each in operation.arguments]
    for argument in operation.arguments:
        items.append(f"{argument.parameter.name}: {python.parameter_type(argument.parameter)}")
    payload = operation.payload
    if payload and payload.kind == "new_ttl":
        items.append(f"{payload.name}: Ttl")
        fields.append(_field("arm", payload))
    elif payload:
        # The payload is a variadic parameter, because some arms have no payload.
        items.append(f"*{payload.name}: {python.parameter_type(payload)}")
        inner = _field("1", Parameter("each", payload.kind, payload.repeated, "")).replace("to_bytes", _reader(payload))
        fields.append(f'codec.bytes_field(arm, b"".join({inner} for each in {payload.name}))')
    elif operation.arms:
        fields.append('codec.bytes_field(arm, b"")')
    head = python.defined(f"def {names.snake(operation.name)}", items, " -> bytes:")
    made = "".join(f"            {each},\n" for each in fields)
    return f'{head}        fields = (\n{made}        )\n        return b"".join(fields)\n'


def _field(number: str, parameter: Parameter) -> str:
    if parameter.repeated or parameter.kind == "double":
        raise ValueError(
            f"{parameter.name}: cannot generate Python code that encodes this parameter; "
            'set "methods" in the column "hand"'
        )
    writer = "bytes_field" if parameter.kind in ("bytes", "string") else "number_field"
    return f"codec.{writer}({number}, {_encoded(parameter)})"


def _reader(parameter: Parameter) -> str:
    return {"key": "to_key", "hash": "to_hash"}.get(parameter.name, "to_bytes")


def _encoded(parameter: Parameter) -> str:
    name = parameter.name
    match parameter.kind:
        case "ttl":
            return "self._ttl(ttl)"
        case "new_ttl":
            return "to_ttl_ms(ttl)"
        case "int64":
            return f'to_int64("{name}", {name})'
        case "bytes" | "string":
            return f"{_reader(parameter)}({name})"
    return f"int({name})" if parameter.kind == "bool" else name
