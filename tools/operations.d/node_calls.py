"""The Node client's methods, those of a bound cache, and the agent's operations."""

from __future__ import annotations

from pathlib import Path

import names
import node
import page
from table import Method, Operation, Parameter, Table

_CLIENT = f"{node.SOURCES}/client.ts"
_BOUND = f"{node.SOURCES}/bound-cache.ts"


def outputs(table: Table, root: Path) -> dict[str, str]:
    calls = [
        (operation, method)
        for operation in table.operations
        if not node.by_hand(operation)
        for method in operation.methods
    ]
    own = [each for each in calls if each[0].name != "ListCaches"]
    return {
        _CLIENT: _methods(root / _CLIENT, [_call(*each) for each in own]),
        _BOUND: _methods(root / _BOUND, [_bound_call(*each) for each in own if each[0].is_scoped]),
        "clients/node/agent/calls.ts": _agent(own),
    }


def _methods(path: Path, methods: list[str]) -> str:
    return page.region(path, "calls", "\n" + "\n".join(methods) + "\n")


def _documented(method: Method) -> str:
    return f"  /** {node.doc(method.doc)} */\n"


def _call(operation: Operation, method: Method) -> str:
    scope = ["cacheName: string"] if operation.is_scoped else []
    items = [*scope, *node.declared(operation, method)]
    head = node.called(f"async {method.name}", items, f": Promise<r.{operation.name}Response> {{", 2)
    made = f"new op.{operation.name}Operation"
    given = [_argument(each.parameter) for each in operation.arguments]
    if operation.is_scoped:
        given.insert(0, "cacheName")
    if method.arm:
        given.append(
            f"op.{operation.name}{names.pascal(operation.oneof)}.{names.camel(method.arm.name.removesuffix('_ms'))}"
        )
        if method.arm.parameter:
            given.append(_argument(method.arm.parameter))
    lines, checks = _checks(operation, method)
    return f"{_documented(method)}{head}{lines}{_returned(checks, made, given)}  }}\n"


def _argument(parameter: Parameter) -> str:
    match parameter.kind:
        case "ttl":
            return "ttlMs"
        case "new_ttl":
            return "Math.ceil(ttlMs)"
        case "int64":
            return f"big{names.pascal(parameter.name)}"
        case "bool" if parameter.is_optional:
            return f"options?.{names.camel(parameter.name)} === true"
    return names.camel(parameter.name)


def _checks(operation: Operation, method: Method) -> tuple[str, list[str]]:
    """Lines before the call, and what refuses it; a wrong type throws, a wrong value is answered."""
    lines, checks = "", []
    kinds = {each.kind for each in method.parameters}
    given = {each.name for each in method.parameters}
    if "ttl" in kinds:
        lines += "    const ttlMs = this.#calls.ttl(options);\n"
    for each in method.parameters:
        name = names.camel(each.name)
        if each.kind == "int64":
            lines += f"    const big{names.pascal(each.name)} = checkedAmount({name});\n"
        elif each.name == "hash":
            lines += "    requireHash(hash);\n"
        elif each.kind == "bytes" and each.name not in ("key", "value"):
            checks.append(f'checkText("{name}", {name})')
    if not operation.is_scoped:
        return lines, ["checkCacheName(name)"] if "name" in given else []
    if {"key", "value"} <= given and "ttl" in kinds:
        return lines, [*checks, "checkItem(cacheName, key, value, ttlMs)"]
    if "value" in given:
        checks.append('checkText("value", value)')
    checks.append("checkKey(cacheName, key)")
    if kinds & {"ttl", "new_ttl"}:
        checks.append("checkTtl(ttlMs)")
    return lines, checks


def _returned(checks: list[str], made: str, given: list[str]) -> str:
    make = f"this.#calls.make({made}({', '.join(given)}), options);\n"
    line = f"    return {' ?? '.join([*checks, make])}"
    if len(line) <= page.WIDTH["ts"] + 1:
        return line
    refused = f"    const invalid = {' ?? '.join(checks)};\n    if (invalid !== null) return invalid;\n"
    line = f"    return {make}"
    if len(line) > page.WIDTH["ts"] + 1:
        line = f"    return this.#calls.make(\n{node.called(made, given, ',', 6)}      options,\n    );\n"
    return refused + line


def _bound_call(operation: Operation, method: Method) -> str:
    head = node.called(method.name, node.declared(operation, method), f": Promise<r.{operation.name}Response> {{", 2)
    head = head.replace(" = 1", "").replace("amount:", "amount?:")
    given = ["this.name", *(node.parameter_name(each) for each in node.parameters(operation, method)), "options"]
    return f"{_documented(method)}{head}    return this.client.{method.name}({', '.join(given)});\n  }}\n"


def _agent(calls: list[tuple[Operation, Method]]) -> str:
    cases = "".join(_agent_call(*each) for each in calls)
    readers = ("bigField", "bytesField", "hashField", "requiredTtl", "withTtl")
    fields = node.imported([each for each in readers if f"{each}(" in cases], "./fields.js")
    given = ["client: CacheClient", "cache: string", "request: Request", "options: CallOptions"]
    head = node.called("export function callOf", given, ": Promise<object> | null {", 0)
    return f"""{node.HEAD}import type {{ CacheClient, CallOptions }} from "../src/index.js";
{fields}import type {{ Request }} from "./line-agent.js";

/** One of the operations of conformance/AGENT.md that are one call of the client each; null for another. */
{head}  switch (request.op) {{
{cases}    default:
      return null;
  }}
}}
"""


def _agent_call(operation: Operation, method: Method) -> str:
    given = ["cache"] if operation.is_scoped or operation.arguments else []
    given += [_field(each) for each in node.parameters(operation, method) if each.name != "name"]
    flags = [each for each in method.parameters if each.kind == "bool" and each.is_optional]
    options = "withTtl(request, options)" if node.options(operation, method) != "CallOptions" else "options"
    if flags:
        told = ", ".join(f"{names.camel(each.name)}: request.{names.camel(each.name)} === true" for each in flags)
        options = f"{{ ...{options}, {told} }}"
    return f'    case "{method.name}":\n' + node.called(f"return client.{method.name}", [*given, options], ";", 6)


def _field(parameter: Parameter) -> str:
    name = names.camel(parameter.name)
    if parameter.name == "hash":
        return "hashField(request)"
    match parameter.kind:
        case "new_ttl":
            return "requiredTtl(request)"
        case "bytes":
            return f'bytesField(request, "{name}")'
        case "int64":
            return f'bigField(request, "{name}")'
        case "uint32" | "uint64":
            return f"Number(request.{name})"
    raise ValueError(f'{parameter.name}: an agent reads a {parameter.kind} by hand (column hand, "methods")')
