"""How the table's names, kinds and docs are said in Python."""

from __future__ import annotations

import re
import textwrap

import names
import page
from table import Case, Method, Operation, Parameter, Value

PACKAGE = "clients/python/larder_cache"

_TYPES = {
    "bytes": "bytes",
    "string": "str",
    "bool": "bool",
    "int64": "int",
    "uint64": "int",
    "uint32": "int",
    "double": "float",
}
# Cases that say no more than their name are the same in every operation.
SHARED = {"success": "Success", "stored": "Stored", "not_stored": "NotStored", "missing": "Missing", "miss": "Miss"}


def doc(text: str) -> str:
    """A sentence with its {references} as Python writes them."""
    return re.sub(
        r"\{(\w+)\}", lambda found: names.snake(found[1]).upper() if found[1][0].isupper() else f"`{found[1]}`", text
    )


def docstring(text: str, more: list[str], indent: int) -> str:
    """A docstring, its further paragraphs wrapped."""
    space = " " * indent
    if not more and len(space) + len(text) + 6 <= page.WIDTH["py"]:
        return f'{space}"""{text}"""\n'
    first, *rest = textwrap.wrap(text, page.WIDTH["py"] - indent - 3)
    lines = [f'"""{first}', *rest]
    for each in more:
        lines += ["", *textwrap.wrap(each, page.WIDTH["py"] - indent)]
    return "".join(f"{space}{line}".rstrip() + "\n" for line in lines) + f'{space}"""\n'


def case_class(operation: Operation, case: Case) -> str:
    if case.name in operation.aliases["python"]:
        return operation.aliases["python"][case.name]
    if not case.values and case.name in SHARED:
        return SHARED[case.name]
    return f"{operation.name}{names.pascal(case.name)}"


def constant(operation: Operation, case: Case) -> str:
    return names.snake(case_class(operation, case)).upper()


def parameter_type(parameter: Parameter) -> str:
    if parameter.name == "key":
        return "Key"
    if parameter.name == "name":
        return "str"
    if parameter.kind == "ttl":
        return "Ttl | None"
    if parameter.kind == "new_ttl":
        return "Ttl"
    return "Value" if parameter.kind == "bytes" and parameter.name != "hash" else _TYPES[parameter.kind]


def value_type(value: Value) -> str:
    one = "ItemType" if value.kind == "ItemType" else _TYPES[value.kind]
    return f"list[{one}]" if value.repeated else one


def signature(operation: Operation, method: Method, head: list[str]) -> list[str]:
    """A method's parameters: those that may be left out by name alone, but for a first number (increment's)."""
    given, named = list(head), []
    for each in method.parameters:
        name = "cache" if each.name == "name" else each.name
        if name in head:
            continue
        text = f"{name}: {parameter_type(each)}"
        if each.kind == "ttl":
            named.append(f"{text} = None")
        elif each.default is not None and each.kind == "bool":
            named.append(f"{text} = {each.default}")
        elif each.default is not None:
            given.append(f"{text} = {each.default}")
        else:
            given.append(text)
    return given + ["*"] + named


def defined(head: str, items: list[str], tail: str, indent: int = 4) -> str:
    """`head(items)tail` as black lays it out."""
    space = " " * indent
    line = f"{space}{head}({', '.join(items)}){tail}"
    if len(line) <= page.WIDTH["py"]:
        return line + "\n"
    line = f"{space}    {', '.join(items)}"
    if len(line) <= page.WIDTH["py"]:
        return f"{space}{head}(\n{line}\n{space}){tail}\n"
    inner = "".join(f"{space}    {item},\n" for item in items)
    return f"{space}{head}(\n{inner}{space}){tail}\n"
