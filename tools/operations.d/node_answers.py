"""How a Node client reads its responses, and the documentation of its methods' results."""

from __future__ import annotations

import names
import node
import node_codec
from shapes import Case, Operation, Value

_READERS = {
    "bytes": "bytesIn",
    "int64": "bigIn",
    "bool": "flagIn",
    "uint64": "numberIn",
    "uint32": "numberIn",
    "double": "doubleIn",
    "ItemType": "itemTypeIn",
}
# Readers of lists. The readers in the second table need the number of requested parts.
_LIST_READERS = {"bytes": "listIn", "DictionaryItem": "itemsIn", "SortedSetElement": "scoredIn"}
_ASKED_READERS = {"bytes": "partsIn", "double": "scoresIn", "bool": "flagsIn"}


def decoding(operation: Operation) -> str:
    """Return an operation's `decode`, and the code that counts hits and misses."""
    return _decode(operation) + _hits(operation)


def _decode(operation: Operation) -> str:
    response = node.response(operation)
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
{cases}    throw new ProtoError(`unknown outcome ${{number}} in the response of {operation.names[0]}`);
  }}
"""


def _case(operation: Operation, case: Case) -> str:
    made = _made(operation, case, f"branchIn(content, {case.within})" if case.within else "content")
    if case.result:
        # The content indicates whether the result is this case. If not, the result is the last case.
        other = _made(operation, operation.cases[-1], "content")
        made = f"isHit(content, {case.result}) ? {made} : {other}"
    return f"    if (number === {case.number}) return {made};\n"


def _made(operation: Operation, case: Case, source: str) -> str:
    if not case.values and node.result(case) in node.SHARED:
        return node.result(case)
    reads = [_read(operation, each, source) for each in case.values]
    if hit := node.hit_class(case):
        return f"new {hit}({', '.join(reads)})"
    fields = [
        f'result: "{node.result(case)}"',
        *(f"{names.camel(each.name)}: {read}" for each, read in zip(case.values, reads, strict=True)),
    ]
    return f"{{ {', '.join(fields)} }}"


def _read(operation: Operation, value: Value, source: str) -> str:
    if value.result or (value.repeated and value.kind == "bool"):
        return f"{_ASKED_READERS[value.kind]}({source}, {value.number}, {node_codec.asked(operation)})"
    readers = _LIST_READERS if value.repeated else _READERS
    if value.kind not in readers:
        raise ValueError(
            f'{value.name}: cannot generate Node code that reads this value; set "codec" in the column "hand"'
        )
    return f"{readers[value.kind]}({source}, {value.number})"


def _hits(operation: Operation) -> str:
    """Return the method that counts hits and misses; empty for calls that do not look up an item's value."""
    hit = node.hit_class(operation.cases[0])
    if hit != node.HASH_HIT:
        return ""
    counts = "{ readonly hits: number; readonly misses: number }"
    return f"""  override hitsOf(response: {node.response(operation)}): {counts} {{
    const hits = response.result === "hit" ? 1 : 0;
    return {{ hits, misses: 1 - hits }};
  }}
"""


def returns(operation: Operation) -> str:
    """Return the documentation of a method's response; empty if it can only succeed."""
    first, *others = operation.cases
    if not first.values and not others:
        return ""
    said = [_said(each) for each in operation.cases]
    return f"@returns {', '.join(said)} or `error`."


def _said(case: Case) -> str:
    carried = [f"`{names.camel(each.name)}` ({_clause(each.doc)})" for each in case.values]
    if node.hit_class(case):
        # Omit the values, because the class documents them.
        carried = []
    told = f" with {' and '.join(carried)}" if carried else ""
    return f"`{node.result(case)}`{told}"


def _clause(doc: str) -> str:
    text = doc.rstrip(".")
    return text[0].lower() + text[1:]
