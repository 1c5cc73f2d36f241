"""The parameters of a call, derived from the fields of its request."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import names
import proto
from shapes import Argument, Arm, Body, Parameter, Part

# Descriptions of fields without a comment.
_DOCS = {
    "key": "The key. It must be at least 1 byte.",
    "value": "The value.",
    "name": "The cache's name.",
}
_TTL = (
    "The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. "
    "If null, the client's default is used."
)
_NEW_TTL = "The new time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower."
_TTLS = {
    "collection_ttl": "The time to live of the {noun}, and whether an existing {noun} gets it too. "
    "If null, the client's default is used, and an existing {noun} gets it too.",
    "kept_ttl": "The new time to live of the {noun}. Ignored if its refresh flag is false. "
    "If null, the old one is kept.",
}
_BOUNDS = {
    "min": "The lowest score, inclusive or exclusive. If null, there is no lower bound.",
    "max": "The highest score, inclusive or exclusive. If null, there is no upper bound.",
}


@dataclass(frozen=True)
class Reader:
    """Reads requests together with the settings of their row and group."""

    contract: proto.Contract
    noun: str
    names: dict[str, str]
    defaults: dict[str, Any]
    left_out: list[str]

    def arguments(self, message: proto.Message) -> list[Argument]:
        """Return the arguments for a message's fields, except for a oneof whose arm a method chooses."""
        return list(self._arguments(message))

    def arm(self, message: proto.Message, chosen: proto.Field) -> Arm:
        """Return an arm that a method chooses, with the arm's payload, if any."""
        if chosen.kind == "uint64" and chosen.name.endswith("_ms"):
            return Arm(chosen.name, chosen.number, Parameter("ttl", "new_ttl", False, _NEW_TTL))
        inner = self.contract.message(chosen.kind, message)
        if not inner.fields:
            return Arm(chosen.name, chosen.number, None)
        (only,) = inner.fields
        name = names.snake(inner.name) if only.name == "value" else only.name
        given = Parameter(self.names.get(name, name), only.kind, only.repeated, only.doc)
        return Arm(chosen.name, chosen.number, given)

    def body(self, message: proto.Message, path: str) -> tuple[list[Argument], Body | None]:
        """Return the argument of a form's arm if the arm is a plain field, and the body if the arm is a message.

        `path` leads from the request to the arm.
        """
        numbers: list[int] = []
        within = message
        for name in path.split("."):
            found = next((each for each in within.fields if each.oneof and each.name == name), None)
            if found is None:
                raise ValueError(f"{message.name}: unknown oneof member {path}")
            if found.kind not in {**message.nested, **self.contract.messages}:
                return [self._plain(message, found)], None
            numbers.append(found.number)
            within = self.contract.message(found.kind, message)
        return [], Body(path.split(".")[-1], tuple(numbers), list(self._arguments(within, message)))

    def _arguments(self, message: proto.Message, outer: proto.Message | None = None) -> Iterator[Argument]:
        """Yield the arguments. `outer` is the request that contains the nested messages."""
        fields = {each.name: each for each in message.fields}
        for each in message.fields:
            arms = message.arms(each.oneof) if each.oneof else []
            if each.name in self.left_out or each.name == "refresh_ttl":
                continue
            if each.oneof and is_bound(arms):
                if each is arms[0]:
                    yield self._bound(arms)
            elif each.name == "ttl_ms" and "refresh_ttl" in fields:
                kind = "kept_ttl" if self.defaults.get("ttl") == "kept" else "collection_ttl"
                given = Parameter("ttl", kind, False, _TTLS[kind].replace("{noun}", self.noun))
                yield Argument(each.number, given, refresh=fields["refresh_ttl"].number)
            elif not each.oneof:
                yield self._plain(outer or message, each)

    def _plain(self, request: proto.Message, found: proto.Field) -> Argument:
        if found.name == "ttl_ms":
            return Argument(found.number, Parameter("ttl", "ttl", False, _TTL))
        name = self.names.get(found.name, found.name)
        doc = found.doc or _DOCS.get(found.name, "")
        if found.name == "name" and found.kind == "bytes":
            doc = " ".join([f"The {self.noun}'s key. It must be at least 1 byte.", *filter(None, [found.doc])])
        return Argument(
            found.number,
            Parameter(
                name,
                type_name(self.contract, request, found.kind, self.noun),
                found.repeated,
                doc,
                self.defaults.get(found.name),
                parts(self.contract, request, found.kind),
                _choices(self.contract, request, found.kind),
            ),
        )

    def _bound(self, arms: list[proto.Field]) -> Argument:
        (unbounded,) = [each for each in arms if each.name.startswith("unbounded_")]
        first, *more = [each for each in arms if each is not unbounded]
        if first.kind == "sint32":
            said = unbounded.doc.rstrip(".")
            doc = f"{first.doc.rstrip('.')}; null: {said[0].lower()}{said[1:]}."
            return Argument(first.number, Parameter(first.oneof, "index", False, doc), unbounded=unbounded.number)
        exclusive = more[0].number if more else 0
        given = Parameter(first.oneof, "score_bound", False, _BOUNDS[first.oneof])
        return Argument(first.number, given, unbounded=unbounded.number, exclusive=exclusive)


def is_bound(arms: list[proto.Field]) -> bool:
    """Return whether a oneof is one end of a range.

    The argument selects the arm. Without the argument, the end is unbounded.
    """
    return any(each.name.startswith("unbounded_") for each in arms)


def parts(contract: proto.Contract, within: proto.Message, kind: str) -> tuple[Part, ...]:
    """Return a message's fields; empty for a type that is not a message."""
    if kind not in within.nested and kind not in contract.messages:
        return ()
    return tuple(Part(each.name, each.kind, each.number, each.doc) for each in contract.message(kind, within).fields)


def type_name(contract: proto.Contract, within: proto.Message, kind: str, noun: str) -> str:
    """Return a type's public name.

    The name of a type that is nested in a request gets the noun of the group as a prefix.
    """
    return names.pascal(noun) + kind if kind in within.nested or kind in within.enums else kind


def _choices(contract: proto.Contract, within: proto.Message, kind: str) -> dict[str, int]:
    tops = {name: values for file in contract.files for name, values in file.enums.items()}
    return within.enums.get(kind) or tops.get(kind, {})
