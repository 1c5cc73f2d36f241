"""The successful outcomes of a call, and the values of each outcome."""

from __future__ import annotations

import proto
from request import parts
from shapes import Case, Part, Value

RESULT = "CacheResult"


def cases(
    contract: proto.Contract, rpc: proto.Rpc, renamed: dict[str, str], aliases: dict[str, str], branch: str
) -> list[Case]:
    """Return the cases.

    `renamed` maps the cases of the response to their public names. If the message of a case has a oneof, `branch` is
    the arm of that oneof to read.
    """
    response = contract.messages[rpc.response]
    if not response.arms():
        return [Case("success", 0, response.doc, _values(contract, response, response, aliases))]
    return [_case(contract, response, arm, renamed, aliases, branch) for arm in response.arms()]


def _case(
    contract: proto.Contract,
    response: proto.Message,
    arm: proto.Field,
    renamed: dict[str, str],
    aliases: dict[str, str],
    branch: str,
) -> Case:
    message = contract.message(arm.kind, response)
    within = next((each for each in message.arms() if each.name == branch), None)
    held = contract.message(within.kind, response) if within else message
    name = renamed.get(arm.name, arm.name)
    result = next((each.number for each in held.fields if each.kind == RESULT), 0)
    return Case(
        name, arm.number, arm.doc, _values(contract, held, response, aliases), within.number if within else 0, result
    )


def _values(
    contract: proto.Contract, message: proto.Message, response: proto.Message, aliases: dict[str, str]
) -> list[Value]:
    # If the response has a oneof, the case determines the result, so omit the result field.
    fields = [each for each in message.fields if each.kind != RESULT] if response.arms() else message.fields
    return [_value(contract, response, each, aliases) for each in fields]


def _value(contract: proto.Contract, response: proto.Message, found: proto.Field, aliases: dict[str, str]) -> Value:
    name = aliases.get(found.name, found.name)
    held = parts(contract, response, found.kind)
    result = next((each.number for each in held if each.kind == RESULT), 0)
    if not result:
        return Value(name, found.kind, found.number, found.repeated, found.doc, held)
    # If the messages of a list have a result field, the value in each message is optional. For callers, such a list is
    # a list of optional values.
    return Value(name, _other(held).kind, found.number, found.repeated, found.doc, held, result)


def _other(held: tuple[Part, ...]) -> Part:
    (only,) = [each for each in held if each.kind != RESULT]
    return only
