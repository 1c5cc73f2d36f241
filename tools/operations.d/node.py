"""How the table's names, kinds and docs are said in TypeScript, laid out as Biome does."""

from __future__ import annotations

import re

import names
import page
from table import Case, Method, Operation, Parameter, Value

HEAD = f"// {page.WRITTEN}\n"
SOURCES = "clients/node/src"

# Cases that say no more than their name are the same in every operation.
SHARED = {"success": "Success", "stored": "Stored", "not_stored": "NotStored", "missing": "Missing"}
_TYPES = {
    "bytes": "Bytes",
    "string": "string",
    "bool": "boolean",
    "int64": "number | bigint",
    "uint64": "number",
    "uint32": "number",
    "new_ttl": "number",
}
_VALUES = {
    "bytes": "Buffer",
    "string": "string",
    "bool": "boolean",
    "int64": "bigint",
    "uint64": "number",
    "uint32": "number",
    "ItemType": "ItemType",
}


def doc(text: str) -> str:
    """A sentence with its {references} as TypeScript writes them."""
    return re.sub(r"\{(\w+)\}", lambda found: f"`{'ttlMs' if found[1] == 'ttl' else found[1]}`", text)


def by_hand(operation: Operation) -> bool:
    """get and set are by hand, as all that is measured, and batches."""
    return operation.server_only or "methods" in operation.hand or {"codec", "server"} <= operation.hand


def parameters(operation: Operation, method: Method) -> list[Parameter]:
    """Those that a caller gives by place; times to live and flags that may be left out are options."""
    return [each for each in method.parameters if each.kind != "ttl" and not (each.kind == "bool" and each.is_optional)]


def declared(operation: Operation, method: Method) -> list[str]:
    items = []
    for each in parameters(operation, method):
        kind = "Uint8Array" if each.name == "hash" else _TYPES[each.kind]
        default = "" if each.default is None else f" = {each.default}"
        items.append(f"{parameter_name(each)}: {kind}{default}")
    return [*items, f"options?: {options(operation, method)}"]


def parameter_name(parameter: Parameter) -> str:
    return "ttlMs" if parameter.kind == "new_ttl" else names.camel(parameter.name)


def options(operation: Operation, method: Method) -> str:
    """What a call may be given beside its arguments; with a flag, options of its own (client-options.ts)."""
    if any(each.kind == "bool" and each.is_optional for each in method.parameters):
        return f"{operation.name}Options"
    return "SetOptions" if any(each.kind == "ttl" for each in method.parameters) else "CallOptions"


def value_type(value: Value) -> str:
    if value.repeated or value.kind not in _VALUES:
        raise ValueError(f"{value.name}: Node reads it by hand (column hand)")
    return _VALUES[value.kind]


def case_type(case: Case) -> str:
    if not case.values and case.name in SHARED:
        return SHARED[case.name]
    fields = [f'readonly result: "{names.camel(case.name)}"']
    fields += [f"readonly {names.camel(each.name)}: {value_type(each)}" for each in case.values]
    return f"{{ {'; '.join(fields)} }}"


def called(head: str, items: list[str], tail: str, indent: int) -> str:
    """`head(items)tail` on one line, or with each item on its own."""
    space = " " * indent
    line = f"{space}{head}({', '.join(items)}){tail}\n"
    if len(line) <= page.WIDTH["ts"] + 1:
        return line
    if items[-1].startswith("{"):
        # An object that comes last hugs the call.
        fields = "".join(f"{space}  {field},\n" for field in _fields(items[-1]))
        return f"{space}{head}({', '.join(items[:-1])}, {{\n{fields}{space}}}){tail}\n"
    inner = "".join(f"{space}  {item},\n" for item in items)
    return f"{space}{head}(\n{inner}{space}){tail}\n"


def _fields(literal: str) -> list[str]:
    """An object literal's fields."""
    return re.split(r", (?![^()]*\))", literal.strip("{} "))


def imported(what: list[str], source: str, is_type: bool = False) -> str:
    """An import as Biome sorts and lays it out."""
    head = "import type" if is_type else "import"
    sorted_names = sorted(what, key=lambda name: [(c.lower(), c.islower()) for c in name.removeprefix("type ")])
    line = f'{head} {{ {", ".join(sorted_names)} }} from "{source}";\n'
    if len(line) <= page.WIDTH["ts"] + 1:
        return line
    inner = "".join(f"  {name},\n" for name in sorted_names)
    return f'{head} {{\n{inner}}} from "{source}";\n'
