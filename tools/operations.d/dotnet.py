"""The C# form of the table's names, kinds and docs."""

from __future__ import annotations

import re

import names
import page
from shapes import COLLECTION_TTLS, Method, Operation, Parameter, Value

HEAD = f"// {page.WRITTEN}\n"
CLIENT = "clients/dotnet/src/Larder.Client"
# The groups of the table that the client does not support yet.
LACKS: tuple[str, ...] = ()
# The groups whose operations and responses have their own folder.
_COLLECTIONS = ("dictionaries", "lists", "sets", "sorted_sets")

# The types of values, for messages whose name in the client differs from their name in the protocol.
_ANSWERED = {"ItemType": "CacheItemType", "DictionaryItem": "DictionaryField", "SortedSetElement": "ScoredElement"}
_TYPES = {
    "bytes": "CacheBytes",
    "string": "string",
    "bool": "bool",
    "int64": "long",
    "uint64": "long",
    "uint32": "int",
    "sint32": "int",
    "float": "float",
    "double": "double",
    "index": "int?",
    "score_bound": "ScoreBound?",
}


def doc(text: str) -> str:
    """Return a sentence with its {references} in C# form."""
    return re.sub(
        r"\{(\w+)\}",
        lambda found: f'<see cref="CacheErrorCode.{found[1]}"/>'
        if found[1][0].isupper()
        else f'<paramref name="{found[1]}"/>',
        text,
    )


def generated(folder: str, operation: Operation) -> str:
    """Return the folder of an operation's generated files, below the client's `folder`."""
    base = f"{CLIENT}/{folder}/Generated"
    return f"{base}/{names.pascal(operation.group)}" if operation.group in _COLLECTIONS else base


def argument_type(parameter: Parameter) -> str:
    """Return the type that an operation stores."""
    if parameter.kind in ("ttl", "new_ttl"):
        return "ulong"
    if parameter.kind in COLLECTION_TTLS:
        return "WireTtl"
    one = "CacheBytes" if parameter.kind == "string" else _one(parameter)
    return f"{one}[]" if parameter.repeated else one


def argument_name(parameter: Parameter) -> str:
    return "ttlMs" if parameter.kind in ("ttl", "new_ttl") else names.camel(parameter.name)


def parameter_type(parameter: Parameter) -> str:
    """Return the type that a caller passes."""
    if parameter.kind == "ttl":
        return "TimeSpan?"
    if parameter.kind == "new_ttl":
        return "TimeSpan"
    if parameter.kind in COLLECTION_TTLS:
        return "CollectionTtl?"
    return f"IReadOnlyList<{_one(parameter)}>" if parameter.repeated else _one(parameter)


def _one(parameter: Parameter) -> str:
    """Return the type of a parameter, or of the items of a list."""
    return parameter.kind if parameter.parts or parameter.choices else _TYPES[parameter.kind]


def parameter_name(operation: Operation, parameter: Parameter) -> str:
    """Return a parameter's name. The parameter `name` of a control call is the name of a cache."""
    return "cache" if parameter.name == "name" and not operation.is_scoped else names.camel(parameter.name)


def declared(operation: Operation, parameter: Parameter) -> str:
    text = f"{parameter_type(parameter)} {parameter_name(operation, parameter)}"
    if not parameter.is_optional:
        return text
    if parameter.choices:
        return f"{text} = {parameter.kind}.{names.pascal(parameter.default.lower())}"
    return f"{text} = {_said(parameter.default)}"


def _said(default: object) -> str:
    """Return a number or a bool as a C# literal; an optional parameter without a default has the default null."""
    return "null" if default is None else f"{default:g}" if isinstance(default, float) else str(default).lower()


def value_type(value: Value) -> str:
    """Return the type of a value of a result."""
    if value.kind in _ANSWERED:
        one = _ANSWERED[value.kind]
    elif value.kind == "uint64" and value.name.endswith("_ms"):
        one = "TimeSpan"
    elif value.kind == "bytes":
        # A hash is opaque, so it is never shown as text.
        one = "ReadOnlyMemory<byte>" if value.name == "hash" else "CacheValue"
    else:
        one = _TYPES[value.kind]
    one += "?" if value.result else ""
    return f"IReadOnlyList<{one}>" if value.repeated else one


def value_name(value: Value) -> str:
    return names.pascal(value.name.removesuffix("_ms") if value_type(value) == "TimeSpan" else value.name)


def enum_name(operation: Operation) -> str:
    return f"{operation.name}{names.pascal(operation.oneof)}"


def documented(operation: Operation, method: Method, outcomes: str) -> str:
    """Return a method's complete doc comment. `outcomes` is the text about its result; empty if there is none."""
    lines = [f"    /// <summary>{doc(method.doc)}</summary>\n"]
    for each in method.parameters:
        lines.append(f'    /// <param name="{parameter_name(operation, each)}">{doc(each.doc)}</param>\n')
    lines.append('    /// <param name="cancellationToken">Cancels the call.</param>\n')
    if outcomes:
        lines.append(f"    /// <returns>{doc(outcomes)}</returns>\n")
    return "".join(lines)
