"""The Python client's methods, and those of a bound cache that have no short name."""

from __future__ import annotations

from pathlib import Path

import names
import page
from table import Argument, Method, Operation, Parameter, Table

import python

_BOUND = f"{python.PACKAGE}/bound_cache.py"
# What is said of these is known.
_KNOWN = ("key", "value", "ttl", "name")


def outputs(table: Table, root: Path) -> dict[str, str]:
    # get and set are by hand, as all that is measured.
    own = [each for each in table.operations if "methods" not in each.hand and not {"codec", "server"} <= each.hand]
    calls = [(operation, method) for operation in own for method in operation.methods]
    return {
        f"{python.PACKAGE}/client_operations.py": _client(calls),
        _BOUND: _bound(calls, root / _BOUND),
    }


def _client(calls: list[tuple[Operation, Method]]) -> str:
    bodies = "\n".join(_call(*each) for each in calls)
    used = [name for name in ("to_bytes", "to_hash", "to_int64", "to_key", "to_ttl_ms") if f"{name}(" in bodies]
    return f'''# {page.WRITTEN}
"""`CacheClient`'s calls, but those on many items and the hot ones."""

from __future__ import annotations

from larder_cache import operations as op
from larder_cache import pipeline_codec as codec
from larder_cache import responses as r
from larder_cache.arguments import Key, Value, {", ".join(used)}
from larder_cache.client_calls import ClientCalls
from larder_cache.ttl import Ttl


class OperationCalls(ClientCalls):
    """Each operation of the table as one call."""

{bodies}'''


def _call(operation: Operation, method: Method) -> str:
    name = names.snake(operation.name).upper()
    cache = ["cache: str"] if operation.is_scoped or operation.arguments else []
    items = [*python.signature(operation, method, ["self", *cache]), "timeout_s: float | None = None"]
    head = python.defined(f"async def {names.snake(method.name)}", items, f" -> r.{operation.name}Response:")
    head = head.replace("cache: str, cache: str", "cache: str")
    more = [
        f"`{each.name}`: {python.doc(each.doc)}"
        for each in method.parameters
        if each.name not in _KNOWN and each.default is not None
    ]
    head += python.docstring(python.doc(method.doc), more, 8)
    if not operation.is_scoped and not operation.arguments:
        return f'{head}        return await self._run(op.{name}, "", b"", timeout_s)\n'
    if not operation.is_scoped:
        return f"{head}        return await self._control(op.{name}, cache, timeout_s)\n"
    if not method.arm and [each.name for each in method.parameters] == ["key"]:
        return f"{head}        return await self._by_key(op.{name}, cache, key, timeout_s)\n"
    fields = [_field(each) for each in operation.arguments] + _arm(method)
    made = "".join(f"                {each},\n" for each in fields)
    return f"""{head}
        def make() -> bytes:
            fields = (
{made}            )
            return b"".join(fields)

        return await self._send(op.{name}, cache, make, timeout_s)
"""


def _field(argument: Argument) -> str:
    return f"codec.{_writer(argument.parameter)}({argument.number}, {_encoded(argument.parameter)})"


def _writer(parameter: Parameter) -> str:
    if parameter.repeated or parameter.kind == "double":
        raise ValueError(f"{parameter.name}: Python writes it by hand (column hand)")
    return "bytes_field" if parameter.kind in ("bytes", "string") else "number_field"


def _encoded(parameter: Parameter) -> str:
    name = parameter.name
    match parameter.kind:
        case "ttl":
            return "self._ttl(ttl)"
        case "new_ttl":
            return "to_ttl_ms(ttl)"
        case "int64":
            return f'to_int64("{name}", {name})'
        case "bytes":
            return f"to_key({name})" if name == "key" else f"to_hash({name})" if name == "hash" else f"to_bytes({name})"
        case "string":
            return f"to_bytes({name})"
    return f"int({name})" if parameter.kind == "bool" else name


def _arm(method: Method) -> list[str]:
    if not method.arm:
        return []
    if not method.arm.parameter:
        return [f'codec.bytes_field({method.arm.number}, b"")']
    written = f"{_encoded(method.arm.parameter)}"
    if method.arm.parameter.kind == "new_ttl":
        return [f"codec.number_field({method.arm.number}, {written})"]
    return [f"codec.bytes_field({method.arm.number}, codec.{_writer(method.arm.parameter)}(1, {written}))"]


def _bound(calls: list[tuple[Operation, Method]], path: Path) -> str:
    whole = path.read_text()
    begin, end = whole.index("# operations: calls"), whole.index("# operations: end")
    by_hand = whole[:begin] + whole[end:]
    # Those that a method with a short name makes already are not said twice.
    own = [each for each in calls if each[0].is_scoped and f"self._client.{names.snake(each[1].name)}(" not in by_hand]
    return page.region(path, "calls", "\n" + "\n".join(_bound_call(*each) for each in own) + "\n")


def _bound_call(operation: Operation, method: Method) -> str:
    items = python.signature(operation, method, ["self"])
    items = items[:-1] if items[-1] == "*" else items
    answers = " | ".join(f"r.{python.case_class(operation, case)}" for case in operation.cases)
    head = python.defined(f"async def {names.snake(method.name)}", items, f" -> {answers}:")
    head += python.docstring(python.doc(method.doc), [], 8)
    given = [
        each.name if not each.is_optional or each.kind == "int64" else f"{each.name}={each.name}"
        for each in method.parameters
    ]
    call = f"        return _checked(await self._client.{names.snake(method.name)}"
    return f"{head}{call}({', '.join(['self.name', *given])}))\n"
