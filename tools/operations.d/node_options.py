"""The named options of the Node client's calls on collections."""

from __future__ import annotations

from pathlib import Path

import names
import node
import node_calls
from shapes import COLLECTION_TTLS, Method, Operation, Parameter, Table


def outputs(table: Table, root: Path) -> dict[str, str]:
    own = [call for group in filter(node.is_collection, table.groups) for call in node_calls.calls(group)]
    named = [call for call in own if node.options(*call) == f"{call[0].name}Options"]
    body = "\n".join(_options(*each) for each in named)
    head = node.imports(
        body,
        [
            (
                "client-options",
                [f"type {each}" for each in ("CallOptions", "CollectionOptions", "SetOptions", *_CHOICES)],
            ),
            ("collection-ttl", ["type CollectionTtl"]),
            ("score-bound", ["type ScoreBound"]),
        ],
    )
    return {f"{node.GENERATED}/collection-options.ts": f"{node.HEAD}{head}\n{body}"}


_CHOICES = ("SortedSetAggregate", "SortedSetOrder")


def _options(operation: Operation, method: Method) -> str:
    kinds = {each.kind for each in method.parameters}
    base = "CollectionOptions" if kinds & set(COLLECTION_TTLS) else "SetOptions" if "ttl" in kinds else "CallOptions"
    fields = "".join(map(_field, node.own_options(method)))
    fields += "".join(_line(each.doc, "ttl", "CollectionTtl") for each in method.parameters if each.kind == "kept_ttl")
    return f"""/** Settings of `{method.name}`. */
export interface {operation.name}Options extends {base} {{
{fields}}}
"""


def _field(parameter: Parameter) -> str:
    default = None
    if parameter.default is not None:
        default = str(parameter.default).lower() if parameter.choices else str(parameter.default)
    return _line(parameter.doc, names.camel(parameter.name), node.argument_type(parameter), default)


def _line(doc: str, name: str, kind: str, default: str | None = None) -> str:
    # TypeScript uses undefined where the table has null.
    text = node.doc(doc).replace("; null:", "; undefined:").replace("If null,", "If undefined,")
    comment = f"/** {text} */" if default is None else f"/**\n   * {text}\n   * @defaultValue {default}\n   */"
    return f"  {comment}\n  readonly {name}?: {kind} | undefined;\n"
