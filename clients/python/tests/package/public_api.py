"""List the public names and signatures of the package.

`python -m tests.package.public_api` writes them to public_api.txt.
"""

from __future__ import annotations

import enum
import importlib
import inspect
import pkgutil
import re
import typing
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, cast

import larder_cache

FILE = Path(__file__).with_name("public_api.txt")
# The list omits these modules, because importing them requires a framework. Their settings are documented in
# docs/guides/python.
ADAPTERS = {"celery", "django", "dogpile", "flask_caching"}


def lines() -> Iterator[str]:
    """Yield every public module followed by its public names, in order."""
    for name in ["larder_cache", *_modules()]:
        module = importlib.import_module(name)
        yield f"{name}:"
        for each, value in sorted(_public(module).items()):
            home = getattr(value, "__module__", name)
            if home != name and home.startswith("larder_cache") and each in getattr(value, "__qualname__", each):
                yield f"  {each} = {home}.{getattr(value, '__qualname__', each)}"
                if "._internal" not in home:
                    continue
            else:
                yield f"  {_declared(each, value)}"
            if inspect.isclass(value) and (home == name or "._internal" in home):
                yield from (f"    {line}" for line in _members(value))
        yield ""


def _modules() -> list[str]:
    found = [each.name for each in pkgutil.iter_modules(larder_cache.__path__)]
    return [f"larder_cache.{each}" for each in sorted(found) if not each.startswith("_") and each not in ADAPTERS]


def _public(module: Any) -> dict[str, Any]:
    """Return a module's public names: the names in `__all__`, or the public names that it defines."""
    names = getattr(module, "__all__", None)
    if names is not None:
        return {each: getattr(module, each) for each in names}
    declared = cast(dict[str, Any], vars(module))
    return {
        each: value
        for each, value in declared.items()
        if not each.startswith("_")
        and getattr(value, "__module__", "") == module.__name__
        and not isinstance(value, typing.TypeVar)
    }


def _declared(name: str, value: Any) -> str:
    if inspect.isclass(value):
        bases = [base.__name__ for base in value.__bases__ if base is not object]
        return f"class {name}({', '.join(bases)})" if bases else f"class {name}"
    return f"{name}{_signature(value)}" if callable(value) and not _is_alias(value) else f"{name} = {_shown(value)}"


def _is_alias(value: Any) -> bool:
    return getattr(value, "__origin__", None) is not None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if " at 0x" not in text else type(value).__name__


def _signature(value: Any) -> str:
    try:
        # Annotations are strings, so their text contains quotes. Remove these quotes.
        return re.sub(r"(?<=: |> )'([^']*)'", r"\1", str(inspect.signature(value)))
    except (TypeError, ValueError):
        return "(…)"


def _members(cls: type[Any]) -> Iterator[str]:
    """Yield a class's public members, including members inherited from classes of the package."""
    if issubclass(cls, enum.Enum):
        yield from (f"{each.name} = {each.value!r}" for each in cls)
    if is_dataclass(cls) or hasattr(cls, "_fields"):
        yield f"__init__{_signature(cls.__init__ if is_dataclass(cls) else cls.__new__)}"
    elif "__init__" in vars(cls) and not getattr(cls, "_is_protocol", False):
        yield f"__init__{_signature(cls.__init__)}"
    for name in sorted(dir(cls)):
        value: Any = inspect.getattr_static(cls, name)
        if name.startswith("_") or name in getattr(cls, "_fields", ()) or not _is_own(cls, name):
            continue
        if isinstance(value, property):
            yield f"{name}: {inspect.signature(value.fget).return_annotation}" if value.fget else name
        elif isinstance(value, (staticmethod, classmethod)) or inspect.isfunction(value):
            function: Any = getattr(cls, name)
            for each in typing.get_overloads(function) or [function]:
                yield f"{'async ' if inspect.iscoroutinefunction(function) else ''}{name}{_signature(each)}"


def _is_own(cls: type[Any], name: str) -> bool:
    return any(name in vars(each) for each in cls.__mro__ if each.__module__.startswith("larder_cache"))


def text() -> str:
    """Return the content of public_api.txt."""
    return "\n".join(lines()).rstrip() + "\n"


if __name__ == "__main__":
    FILE.write_text(text())
