"""The Python client's own message classes, which _internal/operations/message.py reads and writes."""

from __future__ import annotations

import re
from pathlib import Path

import page
import proto
from proto import Contract, Field, File, Message
from shapes import Table

import python

_PYTHON = {
    **{"double": "float", "float": "float", "bool": "bool", "string": "str", "bytes": "bytes"},
    **dict.fromkeys(("int64", "uint64", "uint32", "sint32"), "int"),
}


def outputs(table: Table, root: Path) -> dict[str, str]:
    contract = proto.read(root / "protocol" / "proto")
    return {
        f"{python.INTERNAL}/operations/_generated/messages/{_module(each)}.py": _text(contract, each)
        for each in contract.files
    }


def _module(file: File) -> str:
    return file.name.removesuffix(".proto")


def _text(contract: Contract, file: File) -> str:
    # Types are imported under names that no field has, because a message's fields would hide them.
    imports = "".join(
        f"from {python.OPERATIONS}._generated.messages import {name} as _{name}\n"
        for name in (each.removesuffix(".proto") for each in file.imports)
    )
    enums = "".join(_enum(name, values, "") for name, values in file.enums.items())
    classes = "\n\n".join(_class(contract, file, each, each.name, "") for each in file.messages)
    return f'''# {page.WRITTEN}
"""The messages of protocol/proto/{file.name}."""

from __future__ import annotations

import builtins  # noqa: F401

{imports}from larder_cache._internal.operations.message import Message
from larder_cache._internal.operations.message import field as _field

{enums}
{classes}'''


def _enum(name: str, values: dict[str, int], space: str) -> str:
    """Return an enum's values as plain integers, because a later server may send other values."""
    return f"{space}# {name}\n" + "".join(f"{space}{value} = {number}\n" for value, number in values.items()) + "\n"


def _class(contract: Contract, file: File, message: Message, path: str, space: str) -> str:
    inner = space + "    "
    parts = [_enum(name, values, inner) for name, values in message.enums.items()]
    parts += [_class(contract, file, each, f"{path}.{each.name}", inner) + "\n" for each in message.nested.values()]
    parts += [f"{inner}{_field(contract, file, message, path, each)}\n" for each in message.fields]
    return f"{space}class {message.name}(Message):\n" + ("".join(parts) or f"{inner}pass\n")


def _field(contract: Contract, file: File, message: Message, path: str, field: Field) -> str:
    more = ", repeated=True" if field.repeated else ""
    more += f', oneof="{field.oneof}"' if field.oneof else ""
    if field.kind in _PYTHON:
        kind, hint = field.kind, _PYTHON[field.kind]
    else:
        hint = _named(contract, file, path, field.kind)
        kind = "message" if hint else "enum"
        more += f", of=lambda: {hint}()" if hint else ""
        hint = hint or "int"
    hint = f"list[{hint}]" if field.repeated else hint
    for name in {each.name for each in message.fields} & {*_PYTHON.values(), "list"}:
        hint = re.sub(rf"\b{name}\b", f"builtins.{name}", hint)
    return f'{field.name}: {hint} = _field("{kind}", {field.number}{more})'


def _named(contract: Contract, file: File, path: str, kind: str) -> str:
    """Return the class of a message that the message at `path` refers to; empty for an enum."""
    while path:
        first, *rest = path.split(".")
        owner = contract.messages[first]
        for name in rest:
            owner = owner.nested[name]
        if kind in owner.nested or kind in owner.enums:
            return f"{path}.{kind}" if kind in owner.nested else ""
        path = path.rpartition(".")[0]
    for each in contract.files:
        if kind in each.enums:
            return ""
        if any(message.name == kind for message in each.messages):
            return kind if each is file else f"_{_module(each)}.{kind}"
    raise ValueError(f"{file.name}: unknown type {kind}")
