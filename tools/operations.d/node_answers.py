"""How a Node client reads its answers, and the types of them."""

from __future__ import annotations

from pathlib import Path

import names
import node
import node_codec
import page
from shapes import Case, Operation, Table, Value

_RESPONSES = f"{node.SOURCES}/client/responses.ts"
_READERS = {
    "bytes": "bytesIn",
    "int64": "bigIn",
    "bool": "flagIn",
    "uint64": "numberIn",
    "uint32": "numberIn",
    "double": "doubleIn",
    "ItemType": "itemTypeIn",
}
# Of a list; those that answer each of what was asked are told how many that is.
_LIST_READERS = {"bytes": "listIn", "DictionaryItem": "itemsIn", "SortedSetElement": "scoredIn"}
_ASKED_READERS = {"bytes": "partsIn", "double": "scoresIn", "bool": "flagsIn"}


def outputs(table: Table, root: Path) -> dict[str, str]:
    own = [each for each in table.answered if not node.by_hand(each) and each.name != "ListCaches"]
    path = root / _RESPONSES
    return {_RESPONSES: page.region(path, "responses", "".join(map(_response, own)))}


def decoding(operation: Operation) -> str:
    """An operation's `decode`, and what counts as a look-up of its answers."""
    return _decode(operation) + _hits(operation)


def _decode(operation: Operation) -> str:
    response = operation.response
    first = operation.cases[0]
    if not first.number:
        if not first.values:
            return f"  decode(): {response} {{\n    return success;\n  }}\n"
        made = _made(operation, first, "reader")
        return f"  decode(reader: ProtoReader): {response} {{\n    return {made};\n  }}\n"
    content = "{ number, content }" if any(case.values for case in operation.cases) else "{ number }"
    cases = "".join(_case(operation, case) for case in operation.cases)
    return f"""  decode(reader: ProtoReader): {response} {{
    const {content} = outcomeOf(reader);
{cases}    throw new ProtoError(`{operation.names[0]} was answered with outcome ${{number}}`);
  }}
"""


def _case(operation: Operation, case: Case) -> str:
    made = _made(operation, case, f"branchIn(content, {case.within})" if case.within else "content")
    if case.result:
        # It says itself whether it is a hit; else it is as the last case.
        other = _made(operation, operation.cases[-1], "content")
        made = f"isHit(content, {case.result}) ? {made} : {other}"
    return f"    if (number === {case.number}) return {made};\n"


def _made(operation: Operation, case: Case, source: str) -> str:
    if not case.values and case.name in node.SHARED:
        return names.camel(case.name)
    reads = [_read(operation, each, source) for each in case.values]
    if hit := node.hit_class(case):
        return f"new {hit}({', '.join(reads)})"
    fields = [
        f'result: "{names.camel(case.name)}"',
        *(f"{names.camel(each.name)}: {read}" for each, read in zip(case.values, reads, strict=True)),
    ]
    return f"{{ {', '.join(fields)} }}"


def _read(operation: Operation, value: Value, source: str) -> str:
    if value.result or (value.repeated and value.kind == "bool"):
        return f"{_ASKED_READERS[value.kind]}({source}, {value.number}, {node_codec.asked(operation)})"
    readers = _LIST_READERS if value.repeated else _READERS
    if value.kind not in readers:
        raise ValueError(f"{value.name}: Node reads it by hand (column hand)")
    return f"{readers[value.kind]}({source}, {value.number})"


def _hits(operation: Operation) -> str:
    """What finds an item's value or does not is counted."""
    first = operation.cases[0]
    if first.name != "found" or not any(value.name == "value" and value.kind == "bytes" for value in first.values):
        return ""
    counts = "{ readonly hits: number; readonly misses: number }"
    return f"""  override hitsOf(response: {operation.response}): {counts} {{
    const hits = response.result === "{names.camel(first.name)}" ? 1 : 0;
    return {{ hits, misses: 1 - hits }};
  }}
"""


def _response(operation: Operation) -> str:
    types = [*map(node.case_type, operation.cases), "ErrorResponse"]
    told = [each for case in operation.cases if not node.hit_class(case) for each in case.values]
    said = " ".join(f"`{names.camel(each.name)}`: {each.doc}" for each in told)
    comment = f"/** {said} */\n" if said else ""
    line = f"{comment}export type {operation.response} = {' | '.join(types)};\n"
    if len(line.splitlines()[-1]) <= page.WIDTH["ts"]:
        return line
    inner = "".join(f"\n  | {each}" for each in types)
    return f"{comment}export type {operation.response} ={inner};\n"
