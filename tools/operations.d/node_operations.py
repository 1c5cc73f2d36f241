"""The Node client's operations and the types of their answers."""

from __future__ import annotations

from pathlib import Path

import names
import node
import page
from table import Argument, Case, Operation, Parameter, Table, Value

_RESPONSES = f"{node.SOURCES}/responses.ts"


def outputs(table: Table, root: Path) -> dict[str, str]:
    return {
        f"{node.SOURCES}/operation-kinds.ts": _kinds(table),
        f"{node.SOURCES}/table-operations.ts": _operations(table),
        _RESPONSES: _responses(table, root / _RESPONSES),
    }


def _kinds(table: Table) -> str:
    rows = ""
    for operation in table.operations:
        called = [method.name for method in operation.methods if method.arm] or operation.names
        rows += "".join(_kind(operation, name) for name in called)
    return f"""{node.HEAD}import {{ operationKind }} from "./operation.js";

/** What all calls of each operation have in common, by the name that callers and error texts have for it. */
export const kinds = {{
{rows}}};
"""


def _kind(operation: Operation, name: str) -> str:
    traits = (
        f"{{ idempotent: {str(operation.idempotent).lower()}, serverStream: {str(operation.rpc.streams).lower()} }}"
    )
    items = [f'"{name}"', f'"{operation.rpc.path}"', str(operation.pipeline), traits]
    return node.called(f"{name}: operationKind", items, ",", 2)


def _operations(table: Table) -> str:
    own = [each for each in table.operations if not node.by_hand(each) and "codec" not in each.hand]
    bodies = "\n".join(map(_operation, own))
    responses = [f"{each.name}Response" for each in own]
    shared = [name for name in ("missing", "notStored", "stored", "success") if f"return {name};" in bodies]
    return (
        node.HEAD
        + ('import type { Buffer } from "node:buffer";\n' if "Buffer" in bodies else "")
        + node.imported(
            _used(bodies, ("bigIn", "bytesIn", "flagIn", "itemTypeIn", "numberIn", "outcomeOf")), "./answers.js"
        )
        + node.imported(
            _used(bodies, ("CacheNameOperation", "EmptyOperation", "KeyOperation", "OneKeyOperation"))
            + ["type OperationKind"],
            "./operation.js",
        )
        + 'import { kinds } from "./operation-kinds.js";\n'
        + node.imported(["ProtoError", "type ProtoReader"], "./proto-reader.js")
        + node.imported(
            [
                "type Bytes",
                *_used(bodies, ("bigVarintLength", "byteLength", "fieldLength", "varintLength")),
                "type ProtoWriter",
            ],
            "./proto-writer.js",
        )
        + node.imported([*(f"type {name}" for name in responses), *shared], "./responses.js")
        + "\n"
        + bodies
    )


def _used(text: str, candidates: tuple[str, ...]) -> list[str]:
    return [name for name in candidates if f"{name}(" in text or f" {name}<" in text]


def _operation(operation: Operation) -> str:
    name, response = f"{operation.name}Operation", f"{operation.name}Response"
    arms = _arms(operation)
    keyed = bool(operation.arguments) and operation.arguments[0].parameter.name == "key"
    if not operation.arguments:
        base, fields = "EmptyOperation", ""
    elif not operation.is_scoped:
        base, fields = "CacheNameOperation", ""
    elif keyed and len(operation.arguments) == 1 and not operation.arms:
        base, fields = "OneKeyOperation", ""
    else:
        base, fields = "KeyOperation", _fields(operation)
    kind = f"this.{names.camel(operation.oneof)}.kind" if operation.arms else f"kinds.{operation.names[0]}"
    return f"""{arms}export class {name} extends {base}<{response}> {{
{fields}  get kind(): OperationKind {{
    return {kind};
  }}
{_codec(operation) if fields else ""}{_decode(operation, response)}{_hits(operation, response)}}}
"""


def _arms(operation: Operation) -> str:
    if not operation.arms:
        return ""
    rows = ""
    for method in operation.methods:
        if method.arm:
            arm = names.camel(method.arm.name.removesuffix("_ms"))
            rows += f"  {arm}: {{ field: {method.arm.number}, kind: kinds.{method.name} }},\n"
    return f"""/** The arms of `{operation.rpc.request}.{operation.oneof}`: each its field, and its call. */
export const {operation.name}{names.pascal(operation.oneof)} = {{
{rows}}} as const;

"""


def _given(operation: Operation) -> list[tuple[str, Parameter]]:
    """The constructor's parameters after the key: name and what it is."""
    given = [each.parameter for each in operation.arguments[1:]]
    return [("ttlMs" if each.kind == "ttl" else names.camel(each.name), each) for each in given]


def _fields(operation: Operation) -> str:
    types = {
        "bytes": "Bytes",
        "ttl": "number",
        "new_ttl": "number",
        "int64": "bigint",
        "uint64": "number",
        "uint32": "number",
        "bool": "boolean",
    }
    items = ["cacheName: string", "key: Bytes"]
    for name, parameter in _given(operation):
        if parameter.kind not in types or parameter.repeated:
            raise ValueError(f"{parameter.name}: Node writes it by hand (column hand)")
        items.append(f"readonly {name}: {types[parameter.kind]}")
    if operation.arms:
        items.append(
            f"readonly {names.camel(operation.oneof)}: {{ readonly field: number; readonly kind: OperationKind }}"
        )
    if operation.payload:
        optional = "" if all(arm.parameter for arm in operation.arms) else "?"
        missing = " | undefined" if optional else ""
        items.append(
            f"readonly {node.parameter_name(operation.payload)}{optional}: {types[operation.payload.kind]}{missing}"
        )
    inner = "".join(f"    {item},\n" for item in items)
    return f"  constructor(\n{inner}  ) {{\n    super(cacheName, key);\n  }}\n"


def _codec(operation: Operation) -> str:
    lengths = ["fieldLength(this.keyLengthBytes)"]
    writes = ["    writer.bytesField(10, this.key, this.keyLengthBytes);\n"]
    for argument in operation.arguments[1:]:
        name = f"this.{'ttlMs' if argument.parameter.kind == 'ttl' else names.camel(argument.parameter.name)}"
        lengths.append(_length(argument, name))
        writes.append(_write(argument, name))
    before = ""
    if operation.arms:
        before, length, write = _arm(operation)
        lengths.append(length)
        writes.append(write)
    return f"""  measure(): number {{
{_returned(lengths)}  }}
  encode(writer: ProtoWriter): void {{
{"".join(writes)}  }}
{before}"""


def _returned(terms: list[str]) -> str:
    line = f"    return {' + '.join(terms)};\n"
    if len(line) <= page.WIDTH["ts"] + 1:
        return line
    inner = " +\n".join(f"      {term}" for term in " + ".join(terms).split(" + "))
    return f"    return (\n{inner}\n    );\n"


def _tag(number: int) -> int:
    """Bytes of a field's tag: five bits of the number in the first."""
    return 1 if number < 16 else 2


def _length(argument: Argument, name: str) -> str:
    kind, tag = argument.parameter.kind, _tag(argument.number)
    if kind == "bytes":
        return f"fieldLength(byteLength({name}))" if tag == 1 else f"1 + fieldLength(byteLength({name}))"
    if kind == "bool":
        return f"({name} ? {tag + 1} : 0)"
    return f"{tag} + {'bigVarintLength' if kind == 'int64' else 'varintLength'}({name})"


def _write(argument: Argument, name: str) -> str:
    kind, number = argument.parameter.kind, argument.number
    if kind == "bytes":
        return f"    writer.bytesField({number << 3 | 2}, {name}, byteLength({name}));\n"
    tag = f"writer.byte({number << 3});" if _tag(number) == 1 else f"writer.varint({number << 3});"
    if kind == "bool":
        return f"    if ({name}) {{\n      {tag}\n      writer.byte(1);\n    }}\n"
    return f"    {tag}\n    writer.{'bigVarint' if kind == 'int64' else 'varint'}({name});\n"


def _arm(operation: Operation) -> tuple[str, str, str]:
    """A private getter if one is needed, the arm's length, and its writing."""
    field = f"this.{names.camel(operation.oneof)}.field"
    payload = operation.payload
    if payload is None:
        return "", "2", f"    writer.byte({field} * 8 + 2);\n    writer.byte(0);\n"
    name = f"this.{node.parameter_name(payload)}"
    if payload.kind == "new_ttl":
        return "", f"1 + varintLength({name})", f"    writer.byte({field} * 8);\n    writer.varint({name});\n"
    getter = f"#{names.camel(operation.oneof)}Length"
    body = f"    return {name} === undefined ? 0 : fieldLength(byteLength({name}));\n"
    write = f"""    writer.byte({field} * 8 + 2);
    writer.varint(this.{getter}());
    if ({name} !== undefined) writer.bytesField(10, {name}, byteLength({name}));
"""
    return f"  {getter}(): number {{\n{body}  }}\n", f"fieldLength(this.{getter}())", write


def _decode(operation: Operation, response: str) -> str:
    first = operation.cases[0]
    if not first.number:
        if not first.values:
            return f"  decode(): {response} {{\n    return success;\n  }}\n"
        return f"  decode(reader: ProtoReader): {response} {{\n    return {_made(first, 'reader')};\n  }}\n"
    content = "{ number, content }" if any(case.values for case in operation.cases) else "{ number }"
    cases = "".join(f"    if (number === {case.number}) return {_made(case, 'content')};\n" for case in operation.cases)
    return f"""  decode(reader: ProtoReader): {response} {{
    const {content} = outcomeOf(reader);
{cases}    throw new ProtoError(`{names.camel(operation.name)} was answered with outcome ${{number}}`);
  }}
"""


def _made(case: Case, source: str) -> str:
    if not case.values and case.name in node.SHARED:
        return names.camel(case.name)
    fields = [
        f'result: "{names.camel(case.name)}"',
        *(f"{names.camel(each.name)}: {_read(each, source)}" for each in case.values),
    ]
    return f"{{ {', '.join(fields)} }}"


def _read(value: Value, source: str) -> str:
    reader = {
        "Buffer": "bytesIn",
        "bigint": "bigIn",
        "boolean": "flagIn",
        "number": "numberIn",
        "ItemType": "itemTypeIn",
    }
    return f"{reader[node.value_type(value)]}({source}, {value.number})"


def _hits(operation: Operation, response: str) -> str:
    """What finds a value or does not is counted."""
    first = operation.cases[0]
    if first.name not in ("found", "hit") or not any(
        value.name == "value" and value.kind == "bytes" for value in first.values
    ):
        return ""
    return f"""  override hitsOf(response: {response}): {{ readonly hits: number; readonly misses: number }} {{
    const hits = response.result === "{names.camel(first.name)}" ? 1 : 0;
    return {{ hits, misses: 1 - hits }};
  }}
"""


def _responses(table: Table, path: Path) -> str:
    own = [each for each in table.operations if not node.by_hand(each) and each.name != "ListCaches"]
    return page.region(path, "responses", "".join(map(_response, own)))


def _response(operation: Operation) -> str:
    types = [*map(node.case_type, operation.cases), "ErrorResponse"]
    said = " ".join(f"`{names.camel(each.name)}`: {each.doc}" for case in operation.cases for each in case.values)
    comment = f"/** {said} */\n" if said else ""
    line = f"{comment}export type {operation.name}Response = {' | '.join(types)};\n"
    if len(line.splitlines()[-1]) <= page.WIDTH["ts"]:
        return line
    inner = "".join(f"\n  | {each}" for each in types)
    return f"{comment}export type {operation.name}Response ={inner};\n"
