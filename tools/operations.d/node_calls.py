"""The methods of the Node client and its cache handles. Each kind of collection has a separate class."""

from __future__ import annotations

import textwrap
from pathlib import Path

import names
import node
import node_answers
import page
from shapes import COLLECTION_TTLS, Group, Method, Operation, Parameter, Table

_CLIENT = f"{node.SOURCES}/client/client.ts"
_ITEMS = f"{node.SOURCES}/calls/table-calls.ts"
# Functions that read and check the lists that a caller passes. Lists of bytes are selected by the name of the
# parameter.
_LISTS = {
    "DictionaryItem": ("dictionaryItemsOf", "checkItems"),
    "SortedSetElement": ("scoredElementsOf", "checkScoredElements"),
    "ListRange": ("rangesOf", "checkRanges"),
    "SortedSetSource": ("sourcesOf", "checkSources"),
}
# Functions that check numbers.
_NUMBERS = {
    "uint32": "checkCount",
    "uint64": "checkCount",
    "sint32": "checkSigned",
    "double": "checkNumber",
    "index": "checkIndex",
    "score_bound": "checkBound",
}
_GIVEN = (
    "CallOptions",
    "CollectionOptions",
    "DictionaryItems",
    "ListRange",
    "SetOptions",
    "SortedSetAggregate",
    "SortedSetElements",
    "SortedSetOrder",
    "SortedSetSources",
)
_CHOICES = ("sortedSetAggregates", "sortedSetOrders")
# The base class of the first generated class, and the module that contains this base class.
_BASE = ("CacheCalls", "cache-calls")
_RESPONSES = ("ConditionalResponse", "ItemType", "LookupResponse", "Miss", "SuccessResponse")
_COMMENT_WIDTH = page.WIDTH["ts"] - len("   * ")

Call = tuple[Operation, Method]


def outputs(table: Table, root: Path) -> dict[str, str]:
    own = [call for group in table.groups if not node.is_collection(group) for call in calls(group)]
    files = {
        _CLIENT: _methods(root / _CLIENT, [_call(*each) for each in own if not each[0].is_scoped]),
        _ITEMS: _methods(root / _ITEMS, [_call(*each) for each in own if each[0].is_scoped]),
    }
    before: Group | None = None
    for group in filter(node.is_collection, table.groups):
        files[f"{node.GENERATED}/{node.kebab(group)}-calls.ts"] = _class(group, before)
        before = group
    return files


def calls(group: Group) -> list[Call]:
    """Return the methods of a group that can be generated, each with its operation."""
    return [
        (operation, method)
        for operation in group.operations
        if not node.by_hand(operation) and operation.name != "ListCaches"
        for method in operation.methods
    ]


def option_types(group: Group) -> list[str]:
    """Return the names of the option types that only calls on collections have."""
    named = {node.options(*call) for call in calls(group)}
    return sorted(f"type {each}" for each in named - {"CallOptions", "CollectionOptions", "SetOptions"})


def _methods(path: Path, methods: list[str]) -> str:
    return page.region(path, "calls", "\n" + "\n".join(methods) + "\n")


def _class(group: Group, before: Group | None) -> str:
    body = "\n".join(_call(*each) for each in calls(group))
    # The base class is the previous group's class, because a TypeScript class cannot span several files.
    base, module = (f"{node.pascal(before)}Calls", f"{node.kebab(before)}-calls") if before else _BASE
    lists = sorted({reader for kind in _LISTS.values() for reader in kind})
    checks = sorted({*_NUMBERS.values(), "checkElements", "checkField", "checkFields"})
    head = node.sorted_imports(
        node.imports(
            body + base,
            [
                (module, [base]),
                ("client-options", [f"type {each}" for each in _GIVEN]),
                ("collection-arguments", ["boundOf", "bytesOf", "choiceOf", *checks, *lists, *_CHOICES]),
                ("collection-hits", [f"type {each}" for each in node.HITS]),
                ("collection-options", option_types(group)),
                ("collection-ttl", ["checkWireTtl"]),
                ("proto-writer", ["type Bytes"]),
                ("responses", [f"type {each}" for each in _RESPONSES]),
                ("validation", ["checkedAmount", "checkKey", "checkText", "checkTtl"]),
            ],
        )
        + f'import * as op from "./{node.kebab(group)}-operations.js";\n'
    )
    return f"""{node.HEAD}{head}
/** {group.doc} */
export abstract class {node.pascal(group)}Calls extends {base} {{
{body}}}
"""


def _documented(operation: Operation, method: Method) -> str:
    returned = node_answers.returns(operation)
    told = node.doc(method.doc)
    if not returned:
        return f"  /** {told} */\n"
    lines = [
        line
        for paragraph in (told, returned)
        for line in textwrap.wrap(paragraph, _COMMENT_WIDTH, break_on_hyphens=False)
    ]
    return "  /**\n" + "".join(f"   * {line}\n" for line in lines) + "   */\n"


def _call(operation: Operation, method: Method) -> str:
    head = node.called(
        f"async {method.name}", node.declared(operation, method), f": Promise<{node.response(operation)}> {{", 2
    )
    made = f"new op.{operation.name}Operation"
    given = [_argument(each.parameter) for each in operation.arguments]
    if operation.is_scoped:
        given.insert(0, "this.name")
    if method.arm:
        given.append(
            f"op.{operation.name}{names.pascal(operation.oneof)}.{names.camel(method.arm.name.removesuffix('_ms'))}"
        )
        if method.arm.parameter:
            given.append(_argument(method.arm.parameter))
    if operation.body:
        given += [_argument(each.parameter) for each in operation.body.arguments]
    lines, checks = _checks(operation, method)
    returned = _returned(checks, made, given, _named(operation, method))
    return f"{_documented(operation, method)}{head}{lines}{returned}  }}\n"


def _argument(parameter: Parameter) -> str:
    name = names.camel(parameter.name)
    if parameter.repeated:
        return "all"
    if parameter.choices:
        return f'choiceOf("{name}", {name}, {names.camel(parameter.kind)}s)'
    match parameter.kind:
        case "ttl":
            return "ttlMs"
        case "new_ttl":
            return "Math.ceil(ttlMs)"
        case "int64":
            return f"big{names.pascal(parameter.name)}"
        case "score_bound":
            return f"{name}Bound"
        case "bool" if parameter.is_optional:
            return f"options?.{name} === true"
    return name


def _named(operation: Operation, method: Method) -> list[str]:
    """Return the names of the allowed options of a call on a collection, as string literals."""
    if not operation.key or operation.key.name != "name":
        return []
    told = ["ttl"] if any(each.kind in COLLECTION_TTLS for each in method.parameters) else []
    return [f'"{each}"' for each in [*told, *(names.camel(each.name) for each in node.own_options(method))]]


def _checks(operation: Operation, method: Method) -> tuple[str, list[str]]:
    """Return the lines before the call, and the checks.

    A wrong type throws an exception. An invalid value returns an error.
    """
    lines, checks = _taken(operation, method), []
    kinds = {each.kind for each in method.parameters}
    given = {each.name for each in method.parameters}
    for each in method.parameters:
        name = names.camel(each.name)
        if each.kind == "int64":
            lines += f"    const big{names.pascal(each.name)} = checkedAmount({name});\n"
        elif each.name == "hash":
            lines += "    requireHash(hash);\n"
        elif each.repeated:
            lines += f"    const all = {_read(each)};\n"
            checks.append(f"{_list_check(each)}(all)")
        elif each.kind == "score_bound":
            lines += f'    const {name}Bound = boundOf("{name}", {name});\n'
            checks.append(f'checkBound("{name}", {name}Bound)')
        elif each.kind in _NUMBERS:
            most = ", Number.MAX_SAFE_INTEGER" if each.kind == "uint64" else ""
            checks.append(f'{_NUMBERS[each.kind]}("{name}", {name}{most})')
        elif each.name == "field":
            checks.append("checkField(field)")
        elif each.kind == "bytes" and not each.is_key and each.name != "value":
            checks.append(f'checkText("{name}", {name})')
    if not operation.is_scoped:
        return lines, ["checkCacheName(name)"] if "name" in given else []
    if {"key", "value"} <= given and "ttl" in kinds:
        return lines, [*checks, "checkItem(key, value, ttlMs)", "this.invalidName"]
    if "value" in given:
        checks.append('checkText("value", value)')
    checks += [f"checkKey({operation.key.name if operation.key else 'key'})", "this.invalidName"]
    if kinds & {"ttl", "new_ttl"}:
        checks.append("checkTtl(ttlMs)")
    if kinds & set(COLLECTION_TTLS):
        checks.append("checkWireTtl(ttl)")
    return lines, checks


def _taken(operation: Operation, method: Method) -> str:
    """Return the lines that read the caller's options once."""
    kinds = {each.kind for each in method.parameters}
    lines = ""
    if "ttl" in kinds:
        lines += "    const ttlMs = this.calls.ttl(options);\n"
    if "collection_ttl" in kinds:
        lines += "    const ttl = this.calls.collectionTtl(options);\n"
    if "kept_ttl" in kinds:
        lines += "    const ttl = this.calls.keptTtl(options);\n"
    if _is_collection(operation) and (own := node.own_options(method)):
        taken = ", ".join(f"{names.camel(each.name)}{_default(each)}" for each in own)
        lines += f"    const {{ {taken} }} = options ?? {{}};\n"
    return lines


def _is_collection(operation: Operation) -> bool:
    return operation.key is not None and operation.key.name == "name"


def _default(parameter: Parameter) -> str:
    if parameter.default is None:
        return ""
    return f' = "{parameter.default.lower()}"' if parameter.choices else f" = {parameter.default}"


def _read(parameter: Parameter) -> str:
    name = names.camel(parameter.name)
    return f"{_LISTS[parameter.kind][0]}({name})" if parameter.kind in _LISTS else f'bytesOf("{name}", {name})'


def _list_check(parameter: Parameter) -> str:
    if parameter.kind in _LISTS:
        return _LISTS[parameter.kind][1]
    return "checkFields" if parameter.name == "fields" else "checkElements"


def _returned(checks: list[str], made: str, given: list[str], named: list[str]) -> str:
    tail = ", ".join(["options", *named])
    make = f"this.calls.make({made}({', '.join(given)}), {tail});\n"
    line = f"    return {' ?? '.join([*checks, make])}"
    if len(line) <= page.WIDTH["ts"] + 1:
        return line
    refused = f"    const invalid = {' ?? '.join(checks)};\n"
    if len(refused) > page.WIDTH["ts"] + 1:
        refused = f"    const invalid =\n      {' ?? '.join(checks)};\n"
    if len(refused.splitlines()[-1]) > page.WIDTH["ts"]:
        refused = "    const invalid =\n      " + " ??\n      ".join(checks) + ";\n"
    refused += "    if (invalid !== null) return invalid;\n"
    line = f"    return {make}"
    if len(line) > page.WIDTH["ts"] + 1:
        rest = "".join(f"      {each},\n" for each in ["options", *named])
        line = f"    return this.calls.make(\n{node.called(made, given, ',', 6)}{rest}    );\n"
    return refused + line
