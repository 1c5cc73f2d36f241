"""How a Node client's operation stores its arguments, and measures and writes its request."""

from __future__ import annotations

import names
import node
import page
from shapes import COLLECTION_TTLS, Argument, Body, Operation, Parameter

_TYPES = {
    "bytes": "Bytes",
    "ttl": "number",
    "new_ttl": "number",
    "collection_ttl": "WireTtl",
    "kept_ttl": "WireTtl",
    "index": "number | undefined",
    "score_bound": "ScoreBound | undefined",
    "int64": "bigint",
    "uint64": "number",
    "uint32": "number",
    "sint32": "number",
    "double": "number",
    "bool": "boolean",
}
# The item type and the encoder of each kind of list.
_LISTS = {
    "bytes": ("Bytes", "encodedBytes"),
    "DictionaryItem": ("Item", "encodedItems"),
    "SortedSetElement": ("ScoredElement", "encodedElements"),
    "ListRange": ("ListRange", "encodedRanges"),
    "SortedSetSource": ("Source", "encodedSources"),
}


def given(operation: Operation) -> list[Argument]:
    """Return the constructor's arguments after the key.

    They include the arguments of the body but not the arguments of an arm.
    """
    return operation.arguments[1:] + (operation.body.arguments if operation.body else [])


def asked(operation: Operation) -> str:
    """Return the number of parts that a response must have, which is the length of the operation's only list."""
    (only,) = [each.parameter for each in given(operation) if each.parameter.repeated]
    return f"this.#{names.camel(only.name)}.count"


def constructor(operation: Operation) -> str:
    """Return the operation's own fields and its constructor."""
    items, fields, lines = ["cacheName: string", "key: Bytes"], "", ""
    for argument in given(operation):
        parameter = argument.parameter
        name = _name(parameter)
        if parameter.repeated:
            kind, encoder = _list(parameter)
            items.append(f"{name}: readonly {kind}[]")
            fields += f"  readonly #{name}: EncodedList;\n"
            lines += f"    this.#{name} = {encoder}({argument.number << 3 | 2}, {name});\n"
        else:
            items.append(f"readonly {name}: {_type(parameter)}")
            if parameter.kind == "bytes":
                fields += f"  readonly #{name}Bytes: number;\n"
                lines += f"    this.#{name}Bytes = byteLength({name});\n"
    if operation.arms:
        items.append(
            f"readonly {names.camel(operation.oneof)}: {{ readonly field: number; readonly kind: OperationKind }}"
        )
    if operation.payload:
        name = node.parameter_name(operation.payload)
        is_given = all(arm.parameter for arm in operation.arms)
        items.append(f"readonly {name}{_payload_type(operation.payload, is_given)}")
        if operation.payload.kind == "bytes":
            fields += f"  readonly #{name}Bytes: number;\n"
            length = f"byteLength({name})" if is_given else f"{name} === undefined ? 0 : byteLength({name})"
            lines += f"    this.#{name}Bytes = {length};\n"
    if len(items) == 2:
        return ""
    gap = "\n" if fields else ""
    inner = "".join(f"    {item},\n" for item in items)
    head = f"  constructor(\n{inner}  ) {{\n"
    if not any(item.startswith("readonly ") for item in items):
        head = node.called("constructor", items, " {", 2)
    return f"{fields}{gap}{head}    super(cacheName, key);\n{lines}  }}\n"


def codec(operation: Operation) -> str:
    lengths = ["fieldLength(this.keyLengthBytes)"]
    writes = ["    writer.bytesField(10, this.key, this.keyLengthBytes);\n"]
    for argument in operation.arguments[1:]:
        lengths.append(_length(argument))
        writes.append(_write(argument))
    for number in operation.flags:
        lengths.append("2")
        writes.append(f"    writer.byte({number << 3});\n    writer.byte(1);\n")
    private = ""
    if operation.arms:
        private, length, write = _arm(operation)
        lengths.append(length)
        writes.append(write)
    if operation.body:
        private, length, write = _body(operation.body)
        lengths.append(length)
        writes.append(write)
    return f"""  measure(): number {{
{_returned(lengths)}  }}
  encode(writer: ProtoWriter): void {{
{"".join(writes)}  }}
{_other_keys(operation)}{private}"""


def _other_keys(operation: Operation) -> str:
    """Return the method that lists the additional keys of a request, which are the sources of a union."""
    sources = [each.parameter for each in given(operation) if each.parameter.kind == "SortedSetSource"]
    if not sources:
        return ""
    told = "".join(f"    eachSource(this.#{_name(each)}, tell);\n" for each in sources)
    return f"""  override eachKey(tell: (key: Bytes) => void): void {{
    super.eachKey(tell);
{told}  }}
"""


def _name(parameter: Parameter) -> str:
    return "ttlMs" if parameter.kind == "ttl" else names.camel(parameter.name)


def _type(parameter: Parameter) -> str:
    # An enum is encoded as its number.
    if parameter.choices:
        return "number"
    if parameter.kind not in _TYPES:
        raise ValueError(
            f'{parameter.name}: cannot generate Node code that encodes this parameter; set "codec" in the column "hand"'
        )
    return _TYPES[parameter.kind]


def _payload_type(parameter: Parameter, is_given: bool) -> str:
    return f": {_type(parameter)}" if is_given else f"?: {_type(parameter)} | undefined"


def _list(parameter: Parameter) -> tuple[str, str]:
    if parameter.kind not in _LISTS:
        raise ValueError(
            f'{parameter.name}: cannot generate Node code that encodes this parameter; set "codec" in the column "hand"'
        )
    return _LISTS[parameter.kind]


def _returned(terms: list[str]) -> str:
    line = f"    return {' + '.join(terms)};\n"
    if len(line) <= page.WIDTH["ts"] + 1:
        return line
    inner = " +\n".join(f"      {term}" for term in " + ".join(terms).split(" + "))
    return f"    return (\n{inner}\n    );\n"


def _tag(number: int) -> int:
    """Return the statement that writes a field's tag; its first byte holds five bits of the number."""
    return 1 if number < 16 else 2


def _length(argument: Argument) -> str:
    parameter, tag = argument.parameter, _tag(argument.number)
    kind, name = parameter.kind, f"this.{_name(parameter)}"
    if parameter.repeated:
        return f"this.#{_name(parameter)}.bytes.length"
    match kind:
        case "bytes":
            length = f"fieldLength(this.#{_name(parameter)}Bytes)"
            return length if tag == 1 else f"1 + {length}"
        case "bool":
            return f"({name} ? {tag + 1} : 0)"
        case "double":
            return str(tag + 8)
        case "index":
            return f"indexLength({name})"
        case "score_bound":
            return f"{'scoreLength' if argument.exclusive else 'boundLength'}({name})"
        case "int64":
            return f"{tag} + bigVarintLength({name})"
        case "sint32":
            return f"{tag} + varintLength(zigzag({name}))"
    return f"ttlLength({name})" if kind in COLLECTION_TTLS else f"{tag} + varintLength({name})"


def _write(argument: Argument) -> str:
    parameter, number = argument.parameter, argument.number
    name = f"this.{_name(parameter)}"
    if parameter.repeated:
        return f"    writeList(writer, this.#{_name(parameter)});\n"
    tag = f"writer.byte({number << 3});" if _tag(number) == 1 else f"writer.varint({number << 3});"
    match parameter.kind:
        case "bytes":
            return f"    writer.bytesField({number << 3 | 2}, {name}, this.#{_name(parameter)}Bytes);\n"
        case "bool":
            return f"    if ({name}) {{\n      {tag}\n      writer.byte(1);\n    }}\n"
        case "double":
            return f"    writer.byte({number << 3 | 1});\n    writer.double({name});\n"
        case "collection_ttl" | "kept_ttl":
            return f"    writeTtl(writer, {number << 3}, {argument.refresh << 3}, {name});\n"
        case "index":
            return f"    writeIndex(writer, {number << 3}, {argument.unbounded << 3 | 2}, {name});\n"
        case "score_bound" if argument.exclusive:
            tags = f"{number << 3 | 1}, {argument.exclusive << 3 | 1}, {argument.unbounded << 3 | 2}"
            return f"    writeScore(writer, {tags}, {name});\n"
        case "score_bound":
            return f"    writeBound(writer, {number << 3 | 2}, {argument.unbounded << 3 | 2}, {name});\n"
        case "int64":
            return f"    {tag}\n    writer.bigVarint({name});\n"
        case "sint32":
            return f"    {tag}\n    writer.varint(zigzag({name}));\n"
    return f"    {tag}\n    writer.varint({name});\n"


def _arm(operation: Operation) -> tuple[str, str, str]:
    """Return a private method, the expression for the arm's length, and the code that writes the arm.

    The method is empty if it is not needed.
    """
    field = f"this.{names.camel(operation.oneof)}.field"
    payload = operation.payload
    if payload is None:
        return "", "2", f"    writer.byte({field} * 8 + 2);\n    writer.byte(0);\n"
    name = node.parameter_name(payload)
    if payload.kind == "new_ttl":
        write = f"    writer.byte({field} * 8);\n    writer.varint(this.{name});\n"
        return "", f"1 + varintLength(this.{name})", write
    getter = f"#{names.camel(operation.oneof)}Length"
    body = f"    return this.{name} === undefined ? 0 : fieldLength(this.#{name}Bytes);\n"
    write = f"""    writer.byte({field} * 8 + 2);
    writer.varint(this.{getter}());
    if (this.{name} !== undefined) writer.bytesField(10, this.{name}, this.#{name}Bytes);
"""
    return f"  {getter}(): number {{\n{body}  }}\n", f"fieldLength(this.{getter}())", write


def _body(body: Body) -> tuple[str, str, str]:
    """Return a private method, the expression for the nested messages' length, and the code that writes them.

    The method is empty if it is not needed.
    """
    lengths = [_length(each) for each in body.arguments]
    private, length = "", " + ".join(lengths) or "0"
    if len(lengths) > 1:
        length = f"this.#{names.camel(body.name)}Length()"
        private = f"  #{names.camel(body.name)}Length(): number {{\n{_returned(lengths)}  }}\n"
    write = ""
    for number in reversed(body.path):
        write = f"    writer.header({number << 3 | 2}, {length});\n{write}"
        length = f"fieldLength({length})" if length != "0" else "2"
    return private, length, write + "".join(map(_write, body.arguments))
