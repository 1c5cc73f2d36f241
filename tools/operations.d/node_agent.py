"""The operations of the Node client's agent that make one call each."""

from __future__ import annotations

from pathlib import Path

import names
import node
import node_calls
from shapes import COLLECTION_TTLS, Method, Operation, Parameter, Table

_LISTS = {
    "bytes": "listField",
    "DictionaryItem": "itemsField",
    "SortedSetElement": "scoredField",
    "ListRange": "rangesField",
    "SortedSetSource": "sourcesField",
}


def outputs(table: Table, root: Path) -> dict[str, str]:
    scalar, collections = "", ""
    for group in table.groups:
        cases = "".join(_call(*each) for each in node_calls.calls(group))
        if node.is_collection(group):
            collections += cases
        else:
            scalar += cases
    scalar_doc = "Runs an operation of conformance/AGENT.md if it makes one client call. Otherwise returns null."
    admin = ["client: CacheClient"]
    return {
        "clients/node/agent/larder/_generated/calls.ts": _file(scalar, scalar_doc, "callOf", admin) + _results(table),
        "clients/node/agent/larder/_generated/collection-calls.ts": _file(
            collections, "Like callOf, for operations on collections.", "collectionCallOf", []
        ),
    }


def _file(cases: str, doc: str, name: str, admin: list[str]) -> str:
    given = [*admin, "cache: Cache", "request: Request", "options: CallOptions"]
    head = node.called(f"export function {name}", given, ": Promise<object> | null {", 0)
    readers = node.imports(
        cases,
        [
            ("../collection-fields.js", [*_LISTS.values(), "numberField", "optionFields", "scoreField"]),
            ("../fields.js", ["bigField", "bytesField", "hashField", "requiredTtl", "withTtl"]),
        ],
    )
    types = ["Cache", *(["CacheClient"] if admin else []), "CallOptions"]
    return f"""{node.HEAD}import type {{ {", ".join(types)} }} from "../../../src/index.js";
import type {{ Request }} from "../../line-agent.js";
{readers}
/** {doc} */
{head}  switch (request.op) {{
{cases}    default:
      return null;
  }}
}}
"""


def _results(table: Table) -> str:
    """Return the results whose names differ between the client and the vectors."""
    rows = ""
    for group in table.groups:
        for operation, method in node_calls.calls(group):
            told = {node.result(each): names.camel(each.name) for each in operation.cases}
            other = [f'{own}: "{name}"' for own, name in told.items() if own != name]
            if other:
                rows += f"  {method.name}: {{ {', '.join(other)} }},\n"
    return f"""
/** By operation: the results whose names in conformance/AGENT.md differ from the client's. */
export const resultNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {{
{rows}}};
"""


def _call(operation: Operation, method: Method) -> str:
    # A control call is a method of the client whose argument is the name of the cache.
    receiver = "cache" if operation.is_scoped else "client"
    given = ["cache.name"] if operation.arguments and not operation.is_scoped else []
    given += [_field(each) for each in node.parameters(operation, method) if each.is_key or each.name != "name"]
    made = node.called(f"return {receiver}.{method.name}", [*given, _options(operation, method)], ";", 6)
    return f'    case "{method.name}":\n{made}'


def _options(operation: Operation, method: Method) -> str:
    own = [names.camel(each.name) for each in node.own_options(method)]
    if operation.key and operation.key.name == "name":
        kinds = {each.kind for each in method.parameters}
        own += ["ttl"] if kinds & set(COLLECTION_TTLS) else ["ttlMs"] if "ttl" in kinds else []
        told = ", ".join(f'"{each}"' for each in own)
        return f"optionFields(request, options, {told})" if own else "options"
    options = "options" if node.options(operation, method) == "CallOptions" else "withTtl(request, options)"
    if not own:
        return options
    flags = ", ".join(f"{each}: request.{each} === true" for each in own)
    return f"{{ ...{options}, {flags} }}"


def _field(parameter: Parameter) -> str:
    name = "key" if parameter.is_key else names.camel(parameter.name)
    if parameter.name == "hash":
        return "hashField(request)"
    if parameter.repeated:
        return f'{_LISTS[parameter.kind]}(request, "{name}")'
    match parameter.kind:
        case "new_ttl":
            return "requiredTtl(request)"
        case "bytes":
            return f'bytesField(request, "{name}")'
        case "int64":
            return f'bigField(request, "{name}")'
        case "double":
            return f'scoreField(request, "{name}")'
        case "uint32" | "uint64":
            return f'numberField(request, "{name}")'
    raise ValueError(
        f"{parameter.name}: cannot generate Node agent code that reads a {parameter.kind}; "
        'set "methods" in the column "hand"'
    )
