"""The Node client's operations. Each kind of collection has a separate file."""

from __future__ import annotations

from pathlib import Path

import names
import node
import node_answers
import node_codec
from shapes import Operation, Table

# The functions that an operation may import, by file.
_ANSWERS = ("bigIn", "bytesIn", "flagIn", "itemTypeIn", "numberIn", "outcomeOf")
_COLLECTION_ANSWERS = (
    "branchIn",
    "doubleIn",
    "flagsIn",
    "isHit",
    "itemsIn",
    "listIn",
    "partsIn",
    "scoredIn",
    "scoresIn",
)
_FIELDS = (
    "boundLength",
    "eachSource",
    "type EncodedList",
    "encodedBytes",
    "encodedElements",
    "encodedItems",
    "encodedRanges",
    "encodedSources",
    "indexLength",
    "scoreLength",
    "ttlLength",
    "writeBound",
    "writeIndex",
    "writeList",
    "writeScore",
    "writeTtl",
)
_WRITER = ("bigVarintLength", "byteLength", "fieldLength", "varintLength", "zigzag")
_RESPONSES = ("type ConditionalResponse", "type ItemType", "type LookupResponse", "type Miss", "type SuccessResponse")
_BASES = ("CacheNameOperation", "EmptyOperation", "KeyOperation", "OneKeyOperation")


def outputs(table: Table, root: Path) -> dict[str, str]:
    scalar = [each for group in table.groups if not node.is_collection(group) for each in _own(group.operations)]
    files = {
        f"{node.GENERATED}/operation-kinds.ts": _kinds(table),
        f"{node.GENERATED}/table-operations.ts": _file(scalar),
    }
    for group in table.groups:
        if node.is_collection(group):
            files[f"{node.GENERATED}/{node.kebab(group)}-operations.ts"] = _file(_own(group.operations))
    return files


def _own(operations: list[Operation]) -> list[Operation]:
    return [each for each in operations if not node.by_hand(each) and "codec" not in each.hand]


def _kinds(table: Table) -> str:
    rows = ""
    for operation in table.operations:
        called = [method.name for method in operation.methods if method.arm] or operation.names
        rows += "".join(_kind(operation, name) for name in called)
    return f"""{node.HEAD}import {{ operationKind }} from "{node.path_of("operation")}";

/** The properties of each operation, by its name in the API and in error messages. */
export const kinds = {{
{rows}}};
"""


def _kind(operation: Operation, name: str) -> str:
    traits = (
        f"{{ idempotent: {str(operation.idempotent).lower()}, serverStream: {str(operation.rpc.streams).lower()} }}"
    )
    items = [f'"{name}"', f'"{operation.rpc.path}"', str(operation.pipeline), traits]
    return node.called(f"{name}: operationKind", items, ",", 2)


def _file(operations: list[Operation]) -> str:
    bodies = "\n".join(map(_operation, operations))
    shared = [name for name in node.SHARED if _returns(bodies, name)]
    return (
        node.HEAD
        + node.imports(
            bodies,
            [
                ("node:buffer", ["type Buffer"]),
                ("response-fields", [*_ANSWERS]),
                ("client-options", ["type ListRange"]),
                ("collection-responses", [*_COLLECTION_ANSWERS]),
                ("collection-arguments", ["type Item", "type ScoredElement", "type Source"]),
                ("collection-fields", [*_FIELDS]),
                ("collection-hits", [*node.HITS]),
                ("collection-ttl", ["type WireTtl"]),
                ("hit", [node.HASH_HIT]),
                ("operation", [*_BASES, "type OperationKind"]),
                ("operation-kinds", ["kinds"]),
                ("proto-reader", ["ProtoError", "type ProtoReader"]),
                ("proto-writer", ["type Bytes", *_WRITER, "type ProtoWriter"]),
                ("responses", [*_RESPONSES, *shared]),
                ("score-bound", ["type ScoreBound"]),
            ],
        )
        + f"\n{bodies}"
    )


def _returns(bodies: str, shared: str) -> bool:
    return f"return {shared};" in bodies or f": {shared};" in bodies


def _operation(operation: Operation) -> str:
    name, response = f"{operation.name}Operation", node.response(operation)
    is_key_alone = operation.key is not None and not node_codec.given(operation) and not operation.arms
    made = written = ""
    if not operation.arguments:
        base = "EmptyOperation"
    elif not operation.is_scoped:
        base = "CacheNameOperation"
    elif is_key_alone and not operation.body:
        base = "OneKeyOperation"
    else:
        base = "KeyOperation"
        made, written = node_codec.constructor(operation), node_codec.codec(operation)
    kind = f"this.{names.camel(operation.oneof)}.kind" if operation.arms else f"kinds.{operation.names[0]}"
    return f"""{_arms(operation)}export class {name} extends {base}<{response}> {{
{made}  get kind(): OperationKind {{
    return {kind};
  }}
{written}{node_answers.decoding(operation)}}}
"""


def _arms(operation: Operation) -> str:
    if not operation.arms:
        return ""
    rows = ""
    for method in operation.methods:
        if method.arm:
            arm = names.camel(method.arm.name.removesuffix("_ms"))
            rows += f"  {arm}: {{ field: {method.arm.number}, kind: kinds.{method.name} }},\n"
    return f"""/** The arms of `{operation.rpc.request}.{operation.oneof}`: the field and the call of each. */
export const {operation.name}{names.pascal(operation.oneof)} = {{
{rows}}} as const;

"""
