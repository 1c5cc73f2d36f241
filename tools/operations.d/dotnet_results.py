"""The .NET client's results: the result type that an operation returns, and how its cases are written and read."""

from __future__ import annotations

import dotnet
from shapes import Case, Operation, Value

_MISSES = ("miss", "missing")


def type_of(operation: Operation) -> str:
    """Return the type that the operation's calls return."""
    if given := operation.aliases["dotnet"].get("result"):
        return given
    cases = operation.cases
    first = cases[0]
    if cases[1:] and cases[1].name == "not_stored":
        return "SetIfHashResult" if first.values else "SetIfResult"
    if is_flag(operation):
        return "CacheResult<bool>"
    if len(cases) > 1:
        return f"LookupResult<{_value_type(operation)}>"
    return f"CacheResult<{_value_type(operation)}>" if first.values else "CacheResult"


def is_flag(operation: Operation) -> bool:
    """Return whether the operation only checks existence. Its outcomes are a hit and a miss, both without a value."""
    return len(operation.cases) == 2 and _is_miss(operation.cases[1]) and not operation.cases[0].values


def is_update(operation: Operation) -> bool:
    """Return whether the operation only reports whether it changed an item.

    Such an operation has three cases, and no case has values.
    """
    return len(operation.cases) == 3 and not any(case.values for case in operation.cases)


def _value_type(operation: Operation) -> str:
    if data := _data(operation):
        return data
    if is_update(operation):
        return "bool"
    values = operation.cases[0].values
    if len(values) != 1:
        raise ValueError(
            f"{operation.name} has {len(values)} values; set the column dotnet.value to the type that contains them"
        )
    return dotnet.value_type(values[0])


def _data(operation: Operation) -> str:
    """Return the handwritten type of a hit that has more than one value; otherwise an empty text."""
    return operation.aliases["dotnet"].get("value", "")


def _is_miss(case: Case) -> bool:
    return case.name in _MISSES


def made(operation: Operation, case: Case, values: list[str]) -> str:
    """Return the expression for the result of a case, from the expressions of its values."""
    result = type_of(operation)
    if result in ("SetIfResult", "SetIfHashResult"):
        name = "NotStored" if case.name == "not_stored" else "Stored"
        return f"{result}.{name}({', '.join(values)})" if values else f"{result}.{name}"
    if is_flag(operation):
        return f"BooleanResults.Success({str(not _is_miss(case)).lower()})"
    if len(operation.cases) > 1 and _is_miss(case):
        return f"{result}.Miss"
    if is_update(operation):
        return f"BooleanResults.Hit({str(case == operation.cases[0]).lower()})"
    if result == "CacheResult":
        return "CacheResult.Success"
    if result == "LookupResult<CacheValue>":
        return f"new ItemHit({values[0]})"
    data = _data(operation)
    value = f"new {data}({', '.join(values)})" if data and values else "default" if data else values[0]
    return f"{result}.{'Hit' if len(operation.cases) > 1 else 'Success'}({value})"


def read_value(operation: Operation, case: Case, value: Value, result: str) -> str:
    """Return the expression that reads a value of a case from a result."""
    if type_of(operation) == "SetIfHashResult":
        return f"{result}.{dotnet.value_name(value)}"
    if _data(operation):
        return f"{result}.Value.{dotnet.value_name(value)}"
    return f"{result}.Value"


def test(operation: Operation, case: Case) -> str:
    """Return the pattern that a result of a case matches."""
    result = type_of(operation)
    if result in ("SetIfResult", "SetIfHashResult"):
        return f"{{ Is{'NotStored' if case.name == 'not_stored' else 'Stored'}: true }}"
    if is_flag(operation):
        return f"{{ IsSuccess: true, Value: {str(not _is_miss(case)).lower()} }}"
    if len(operation.cases) == 1:
        return "{ IsSuccess: true }"
    if _is_miss(case):
        return "{ IsMiss: true }"
    if is_update(operation):
        return f"{{ IsHit: true, Value: {str(case == operation.cases[0]).lower()} }}"
    if _data(operation) and len(operation.cases) == 3:
        return f"{{ IsHit: true, Value.IsUpdated: {str(not case.values).lower()} }}"
    return "{ IsHit: true }"


def documented(operation: Operation) -> str:
    """Return what each outcome means and what its value is; empty if success is the only outcome and has no value."""
    if operation.name in ("Get", "Set"):
        return ""
    if operation.rpc.name == "ListCaches":
        return "Value: one entry for each cache."
    first, *others = operation.cases
    if _data(operation):
        return f"Hit: the {'list' if others[0].name == 'miss' else 'item'} exists. Miss: {_lower(others[-1].doc)}"
    if not others:
        return "".join(f"Value: {_lower(_sentence(each))}" for each in first.values)
    labels = _labels(operation)
    values = (
        ""
        if type_of(operation) == "SetIfHashResult"
        else "".join(f" Value: {_lower(_sentence(each))}" for each in first.values)
    )
    said = [f"{label}: {_lower(case.doc)}" for label, case in zip(labels, operation.cases, strict=True)]
    return " ".join([said[0] + values, *said[1:]])


def _labels(operation: Operation) -> list[str]:
    if is_flag(operation):
        return ["True", "False"]
    if is_update(operation):
        return ["True", "False", "Miss"]
    return ["Stored", "Not stored"] if type_of(operation).startswith("SetIf") else ["Hit", "Miss"]


def _sentence(value: Value) -> str:
    return f"{value.doc.rstrip('.')}; null for each missing one." if value.result else value.doc


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
