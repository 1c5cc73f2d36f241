"""The Python client's operations, and the classes of their answers."""

from __future__ import annotations

import re
from pathlib import Path

import names
import page
from table import Case, Operation, Table, Value

import python

_RESPONSES = f"{python.PACKAGE}/responses.py"


def outputs(table: Table, root: Path) -> dict[str, str]:
    return {
        f"{python.PACKAGE}/operations.py": _operations(table),
        _RESPONSES: _responses(table, root / _RESPONSES),
    }


def _operations(table: Table) -> str:
    called = [each for each in table.operations if not each.server_only]
    readers = "".join(_reader(each) for each in called if "codec" not in each.hand and each.cases[0].name != "success")
    readers += "".join(_number_reader(each) for each in called if "codec" not in each.hand and _is_number(each))
    rows = "".join(map(_row, called))
    pipelined = ", ".join(names.snake(each.name).upper() for each in table.pipelined if not each.server_only)
    tuple_ = python.defined("PIPELINED = ", pipelined.split(", "), "", 0)
    return f'''# {page.WRITTEN}
"""The calls of the contract: where each goes, how its answer is read, whether it may be sent again."""

from __future__ import annotations

from larder_cache import answers
from larder_cache import responses as r
from larder_cache.operation import Operation, UnexpectedAnswer


{readers}{rows}
{tuple_}'''


def _is_number(operation: Operation) -> bool:
    return operation.cases[0].name == "success" and bool(operation.cases[0].values)


def _classes(operation: Operation) -> str:
    return " | ".join(f"r.{python.case_class(operation, case)}" for case in operation.cases)


def _reader(operation: Operation) -> str:
    content = "content" if any(case.values for case in operation.cases) else "_"
    cases = "".join(
        f"    if outcome == {case.number}:\n        return {_made(operation, case, 'content')}\n"
        for case in operation.cases
    )
    return f"""def _{names.snake(operation.name)}(payload: bytes) -> {_classes(operation)}:
    outcome, {content} = answers.outcome(payload)
{cases}    raise UnexpectedAnswer(f"{names.snake(operation.name)} has no outcome {{outcome}}")


"""


def _number_reader(operation: Operation) -> str:
    (case,) = operation.cases
    return f"""def _{names.snake(operation.name)}(payload: bytes) -> {_classes(operation)}:
    return {_made(operation, case, 'payload')}


"""


def _made(operation: Operation, case: Case, source: str) -> str:
    if not case.values:
        return f"r.{python.constant(operation, case)}"
    values = ", ".join(_read(value, source) for value in case.values)
    return f"r.{python.case_class(operation, case)}({values})"


def _read(value: Value, source: str) -> str:
    readers = {"bytes": "data", "int64": "signed", "bool": "flag", "ItemType": "item_type"}
    if value.repeated or value.kind in ("string", "double"):
        raise ValueError(f"{value.name}: Python reads it by hand (column hand)")
    return f"answers.{readers.get(value.kind, 'number')}({source}, {value.number})"


def _row(operation: Operation) -> str:
    name = names.snake(operation.name)
    if "codec" in operation.hand:
        decode = f"answers.read_{name}"
    else:
        decode = "answers.success" if operation.cases[0].name == "success" and not _is_number(operation) else f"_{name}"
    items = [f'"{name}"', f'"{operation.rpc.path}"', str(operation.pipeline or None), decode]
    items += ["idempotent=True"] if operation.idempotent else []
    items += ["streams=True"] if operation.rpc.streams else []
    keyed = operation.arguments and operation.arguments[0].parameter.name == "key"
    items += [] if keyed else ["keyed=False"]
    return python.defined(f"{name.upper()} = Operation", items, "", 0)


def _responses(table: Table, path: Path) -> str:
    own = [each for each in table.operations if "response" not in each.hand and not each.server_only]
    whole = path.read_text()
    # What stands outside the part that is written was made by hand.
    by_hand = re.sub(r"# operations: cases.*?# operations: end", "", whole, flags=re.DOTALL)
    classes: dict[str, str] = {}
    for operation in own:
        for case in operation.cases:
            name = python.case_class(operation, case)
            if f"class {name}:" not in by_hand:
                classes[name] = _class(operation, name, case)
    unions = "".join(map(_union, own))
    return page.region(
        path, "unions", unions, page.region(path, "cases", "\n\n" + "\n\n".join(classes.values()) + "\n\n")
    )


def _class(operation: Operation, name: str, case: Case) -> str:
    fields = "".join(f"    {each.name}: {python.value_type(each)}\n" for each in case.values)
    said = " ".join([case.doc, *(f"`{each.name}`: {each.doc[0].lower()}{each.doc[1:]}" for each in case.values)])
    text = f"@dataclass(slots=True)\nclass {name}:\n{python.docstring(python.doc(said), [], 4)}"
    if fields:
        return f"{text}\n{fields}"
    return f"{text}\n\n{python.constant(operation, case)} = {name}()\n"


def _union(operation: Operation) -> str:
    items = [python.case_class(operation, case) for case in operation.cases]
    return f"{operation.name}Response = Union[{', '.join([*items, 'Error'])}]\n"
