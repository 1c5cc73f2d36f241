"""The dependencies between the folders of wire have no cycle. tools/layers checks the dependencies between components.
"""

from __future__ import annotations

import re
from pathlib import Path

WIRE = Path(__file__).parents[2] / "wire" / "src" / "Larder.Wire"

# The folders whose types each folder may use.
MAY_USE = {
    "Statuses": set[str](),
    "Protobuf": set[str](),
    "Threads": set[str](),
    "Sockets": {"Statuses", "Threads"},
    "Counts": set[str](),
    "Buffers": {"Statuses"},
    "Framing": {"Buffers", "Statuses"},
    "Http2": {"Buffers", "Framing", "Statuses"},
    "Connections": {"Http2", "Sockets"},
    "Client": {"Buffers", "Connections", "Framing", "Http2", "Sockets", "Statuses", "Threads"},
    "Server": {"Buffers", "Connections", "Framing", "Http2", "Sockets", "Statuses"},
}

DECLARATION = re.compile(
    r"^ {0,4}(?:public|internal)[\w ]*? (?:class|struct|interface|enum|record(?: struct| class)?) (\w+)", re.M
)
DELEGATE = re.compile(r"^(?:public|internal) delegate [^\n]*? (\w+)(?:<[^>]*>)?\(", re.M)
NOT_CODE = re.compile(r'//[^\n]*|"[^"\n]*"')


def _files() -> dict[Path, str]:
    return {
        path: path.parts[len(WIRE.parts)]
        for path in WIRE.rglob("*.cs")
        if path.parts[len(WIRE.parts)] not in {"bin", "obj"}
    }


def _types(files: dict[Path, str]) -> dict[str, str]:
    return {
        name: room
        for path, room in files.items()
        for pattern in (DECLARATION, DELEGATE)
        for name in pattern.findall(path.read_text())
    }


def _uses(code: str, name: str) -> bool:
    # A member or a constant may have the name of another folder's type. A name before `(` is a type only after `new`.
    return re.search(rf"(?<![.\w]){name}\b(?!\s*\(|\s*=[^=])|new {name}\(", code) is not None


def test_every_wire_folder_is_in_the_dependency_table() -> None:
    assert set(_files().values()) == set(MAY_USE)


def test_allowed_dependencies_have_no_cycle() -> None:
    left = dict(MAY_USE)
    while left:
        free = {room for room, used in left.items() if not used & set(left)}
        assert free, f"a circle among {sorted(left)}"
        for room in free:
            del left[room]


def test_wire_folders_use_only_allowed_folders() -> None:
    files = _files()
    types = _types(files)
    assert len(types) > 80
    strange: list[str] = []
    for path, room in files.items():
        code = NOT_CODE.sub("", path.read_text())
        words = set(re.findall(r"\w+", code))
        for name in words & set(types):
            if types[name] != room and types[name] not in MAY_USE[room] and _uses(code, name):
                strange.append(f"{path.relative_to(WIRE)} uses {name} of {types[name]}")
    assert strange == []
