"""The Python client's operations, and the classes of their responses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import names
import page
import proto
from shapes import Case, Operation, Table, Value

import python

# The results of `_each` for responses that handwritten code reads.
_BY_HAND = {"GetBatch": (1, "responses")}
# The lists that `answers` reads directly, with the suffixes of its readers. The first element of a key is true if each
# part of the list contains a result. The other elements are the numbers and types of the fields of a part.
_PARTS = {
    (False, (1, "bytes"), (2, "bytes")): "pair",
    (False, (1, "bytes"), (2, "double")): "scored",
    (True, (1, "CacheResult"), (2, "bytes")): "value_or_none",
    (True, (1, "CacheResult"), (2, "double")): "score_or_none",
}
_RESPONSES = f"{python.PACKAGE}/responses.py"
_GENERATED = f"{python.INTERNAL}/operations/_generated"


def outputs(table: Table, root: Path) -> dict[str, str]:
    return {
        f"{_GENERATED}/operations.py": _operations(table),
        **_collection_answers(table, proto.read(root / "protocol" / "proto")),
        _RESPONSES: _responses(table, root / _RESPONSES),
    }


def _operations(table: Table) -> str:
    own = [each for each in table.answered if "codec" not in each.hand and not python.is_of_collection(each)]
    readers = "".join(_reader(each) for each in own if each.cases[0].name != "success")
    readers += "".join(_number_reader(each) for each in own if _is_number(each))
    rows = "".join(map(_row, table.operations))
    pipelined = ", ".join(names.snake(each.name).upper() for each in table.pipelined)
    tuple_ = python.defined("PIPELINED = ", pipelined.split(", "), "", 0)
    collected = (
        f"from {python.OPERATIONS}._generated import collection_answers\n" if "collection_answers." in rows else ""
    )
    return f'''# {page.WRITTEN}
"""The calls of the protocol: path, decoder of the response, and whether a retry is allowed."""

from __future__ import annotations

from larder_cache import responses as r
from larder_cache._internal.operations import answers
{collected}from larder_cache._internal.operations.operation import Operation, UnexpectedResponse


{readers}{rows}
{tuple_}'''


def _collection_answers(table: Table, contract: proto.Contract) -> dict[str, str]:
    """Return the readers of the responses of collection calls, which are in a separate file."""
    own = [each for each in table.answered if python.is_of_collection(each)]
    if not own:
        return {}
    readers = "".join(_reader(each, contract) for each in own if each.cases[0].name != "success")
    readers += "".join(_number_reader(each) for each in own if _is_number(each))
    text = f'''# {page.WRITTEN}
"""Decodes responses of collection calls. Raises UnexpectedResponse, Malformed or IndexError for invalid bytes."""

from __future__ import annotations

from larder_cache import responses as r
from larder_cache._internal.operations import answers
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.messages import cache as pb
from larder_cache._internal.operations.operation import UnexpectedResponse


{readers.rstrip()}
'''
    return {f"{_GENERATED}/collection_answers.py": text}


def _is_number(operation: Operation) -> bool:
    return operation.cases[0].name == "success" and bool(operation.cases[0].values)


def _classes(operation: Operation) -> str:
    return " | ".join(f"r.{python.case_class(operation, case)}" for case in operation.cases)


def _reader_name(operation: Operation) -> str:
    """Return the name of a response's reader, which the forms of one row share."""
    return ("" if python.is_of_collection(operation) else "_") + names.snake(operation.rpc.name)


def _reader(operation: Operation, contract: proto.Contract | None = None) -> str:
    content = "content" if any(case.values for case in operation.cases) else "_"
    cases = "".join(
        f"    if outcome == {case.number}:\n{_returned(operation, case, contract)}" for case in operation.cases
    )
    name = _reader_name(operation)
    return f"""def {name}(payload: bytes) -> {_classes(operation)}:
    outcome, {content} = answers.outcome(payload)
{cases}    raise UnexpectedResponse(f"unknown outcome {{outcome}} in the response of {name.lstrip('_')}")


"""


def _number_reader(operation: Operation) -> str:
    (case,) = operation.cases
    return f"""def {_reader_name(operation)}(payload: bytes) -> {_classes(operation)}:
    return {_made(operation, case, 'payload')}


"""


def _returned(operation: Operation, case: Case, contract: proto.Contract | None) -> str:
    """Return the lines that return a case."""
    listed = next((each for each in case.values if each.repeated), None)
    if listed and contract:
        return _list(operation, case, listed, contract)
    made = _made(operation, case, "content")
    if not case.result:
        return f"        return {made}\n"
    hit = f"answers.is_hit(answers.number(content, {case.result}))"
    return f"        if {hit}:\n            return {made}\n        return r.{_last(operation)}\n"


def _last(operation: Operation) -> str:
    return python.constant(operation, operation.cases[-1])


def _list(operation: Operation, case: Case, value: Value, contract: proto.Contract) -> str:
    """Return the lines for a case with one list.

    Lists of common shapes are read directly, and other lists as messages.
    """
    made = f"r.{python.case_class(operation, case)}"
    content = f"answers.branch(content, {case.within})" if case.within else "content"
    parts = tuple((part.number, part.kind) for part in value.parts)
    if not parts and value.kind == "bytes":
        return f"        return {made}(codec.items({content}, {value.number}))\n"
    if (bool(value.result), *parts) in _PARTS:
        each = f"answers.{_PARTS[bool(value.result), *parts]}(each)"
        each = each if value.result else f"r.{python.value_type(value)[5:-1]}(*{each})"
        return _comprehension("", made, each, f"codec.items({content}, {value.number})")
    message, path = _message(operation, case, contract)
    name = next(each.name for each in message.fields if each.number == value.number)
    held = f"{path}.FromString({content}).{name}"
    if value.result:
        result, one = sorted(value.parts, key=lambda part: part.number != value.result)
        each = f"each.{one.name} if answers.is_hit(each.{result.name}) else None"
    elif value.parts:
        each = f"r.{python.value_type(value)[5:-1]}({', '.join(f'each.{part.name}' for part in value.parts)})"
    else:
        return f"        return {made}({held})\n"
    return _comprehension(f"        {name} = {held}\n", made, each, name)


def _comprehension(before: str, made: str, each: str, items: str) -> str:
    line = f"        return {made}([{each} for each in {items}])\n"
    if len(line) <= page.WIDTH["py"] + 1:
        return before + line
    space = " " * 12
    return f"{before}        return {made}(\n{space}[{each} for each in {items}]\n        )\n"


def _message(operation: Operation, case: Case, contract: proto.Contract) -> tuple[proto.Message, str]:
    """Return the message that contains a case's values, and the name of this message in Python."""
    response = contract.messages[operation.rpc.response]
    kind = next(each.kind for each in response.arms() if each.number == case.number)
    if case.within:
        kind = next(each.kind for each in contract.message(kind, response).arms() if each.number == case.within)
    return contract.message(kind, response), f"pb.{response.name}.{kind}" if kind in response.nested else f"pb.{kind}"


def _made(operation: Operation, case: Case, source: str) -> str:
    if not case.values:
        return f"r.{python.constant(operation, case)}"
    values = ", ".join(_read(value, source) for value in case.values)
    return f"r.{python.case_class(operation, case)}({values})"


def _read(value: Value, source: str) -> str:
    readers = {"bytes": "data", "int64": "signed", "bool": "flag", "double": "double", "ItemType": "item_type"}
    if value.repeated or value.kind == "string":
        raise ValueError(
            f'{value.name}: cannot generate Python code that reads this value; set "codec" in the column "hand"'
        )
    return f"answers.{readers.get(value.kind, 'number')}({source}, {value.number})"


def _row(operation: Operation) -> str:
    name = names.snake(operation.name)
    if "codec" in operation.hand:
        decode = f"answers.read_{name}"
    else:
        says_nothing = operation.cases[0].name == "success" and not _is_number(operation)
        module = "collection_answers." if python.is_of_collection(operation) else ""
        decode = "answers.success" if says_nothing else f"{module}{_reader_name(operation)}"
    items = [f'"{name}"', f'"{operation.rpc.path}"', str(operation.pipeline or None), decode]
    items += ["idempotent=True"] if operation.idempotent else []
    items += ["streams=True"] if operation.rpc.streams else []
    if each := _each(operation):
        items += [f'each=("{each[1]}", {each[0]})']
    keyed = operation.arguments and operation.arguments[0].parameter.is_key
    items += [] if keyed else ["keyed=False"]
    # Keys that the request names in addition to its first argument.
    paths = [path for path in _keys(operation) if not keyed or path != (operation.arguments[0].number,)]
    items += [f"keys={tuple(paths)}"] if paths else []
    return python.defined(f"{name.upper()} = Operation", items, "", 0)


def _keys(operation: Operation) -> Iterator[tuple[int, ...]]:
    """Return the paths of fields to the items' keys, from the request inward."""
    for argument in operation.arguments:
        given = argument.parameter
        if given.is_key or (given.name == "keys" and given.kind == "bytes"):
            yield (argument.number,)
        for part in given.parts:
            if part.name == "key" or (part.name == "name" and part.kind == "bytes"):
                yield (argument.number, part.number)


def _each(operation: Operation) -> tuple[int, str] | None:
    """Return the field of the requested list, and the name of the response's parts."""
    if operation.name in _BY_HAND:
        return _BY_HAND[operation.name]
    return (operation.each[0].number, operation.each[1].name) if operation.each else None


def _responses(table: Table, path: Path) -> str:
    own = [each for each in table.answered if "response" not in each.hand]
    whole = path.read_text()
    # Classes outside the generated regions are handwritten.
    by_hand = re.sub(r"# operations: cases.*?# operations: end", "", whole, flags=re.DOTALL)
    classes: dict[str, str] = {}
    for operation in own:
        for case in operation.cases:
            name = python.case_class(operation, case)
            if f"class {name}:" not in by_hand:
                classes[name] = _class(operation, name, case)
    unions = "".join(map(_union, own))
    return page.region(
        path, "unions", unions, page.region(path, "cases", "\n\n" + "\n\n".join(classes.values()) + "\n\n")
    )


def _class(operation: Operation, name: str, case: Case) -> str:
    said = " ".join([case.doc, *map(_told, case.values)])
    if not case.values:
        text = python.docstring(python.doc(said), [], 4)
        return f"@dataclass(slots=True)\nclass {name}:\n{text}\n\n{python.constant(operation, case)} = {name}()\n"
    fields = "".join(f"    {each.name}: {python.value_type(each)}\n" for each in case.values)
    more = _shown(name, case) + "".join(map(_texts, case.values))
    made = "slots=True, repr=False" if more else "slots=True"
    return f"@dataclass({made})\nclass {name}:\n{python.docstring(python.doc(said), [], 4)}\n{fields}{more}"


def _told(value: Value) -> str:
    missing = "; None for each missing one." if value.result else "."
    return f"`{value.name}`: {value.doc[0].lower()}{value.doc[1:].removesuffix('.')}{missing}"


def _shown(name: str, case: Case) -> str:
    """Return a `__repr__` that shortens lists and values; empty if there are none."""
    if not any(each.repeated or each.name == "value" and each.kind == "bytes" for each in case.values):
        return ""
    told = ", ".join(
        f"{{sum(self.{each.name}):,}} of {{len(self.{each.name}):,}}"
        if each.repeated and each.kind == "bool"
        else f"{{len(self.{each.name}):,}} {each.name}"
        if each.repeated
        else f"{{_shown(self.{each.name})}}"
        if each.kind == "bytes"
        else f"{each.name}={{self.{each.name}:,}}"
        for each in case.values
    )
    return f"""
    def __repr__(self) -> str:
        return f"{name}({told})"
"""


def _texts(value: Value) -> str:
    """Return the property with bytes as text; empty if the value has none."""
    name, given = "text" if not value.repeated else "texts", f"self.{value.name}"
    says = "Raises UnicodeDecodeError if one of them is not valid UTF-8."
    if value.parts and not value.result:
        first, second = value.parts
        kind = f"dict[str, {'str' if second.kind == 'bytes' else 'float'}]"
        text = f"each.{second.name}{'.decode()' if second.kind == 'bytes' else ''}"
        made = f"{{each.{first.name}.decode(): {text} for each in {given}}}"
    elif value.kind != "bytes" or value.name == "hash":
        return ""
    elif value.result:
        kind, made = "list[str | None]", f"[None if each is None else each.decode() for each in {given}]"
    elif value.repeated:
        kind, made = "list[str]", f"[each.decode() for each in {given}]"
    else:
        kind, made, says = "str", f"{given}.decode()", "Raises UnicodeDecodeError if it is not valid UTF-8."
    return f'''
    @property
    def {name}(self) -> {kind}:
        """The {value.name} as UTF-8. {says}"""
        return {made}
'''


def _union(operation: Operation) -> str:
    items = [python.case_class(operation, case) for case in operation.cases]
    return f"{operation.response} = Union[{', '.join([*items, 'Error'])}]\n"
