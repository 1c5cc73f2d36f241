"""The clients' settings, read from the declarations in their source."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Setting:
    name: str
    type: str
    default: str
    text: str


CSHARP = re.compile(
    r"((?:^ {4}///.*\n)+) {4}public (?:required )?([\w<>?, \[\]]+?) (\w+)"
    r"(?: \{ get; (?:init|set); \}(?: = (.*);)?|\n {4}\{)",
    re.M,
)
NODE = re.compile(r"(?:/\*\*((?:.|\n)*?)\*/\n)? +readonly (\w+)(\??): ((?:.|\n)*?);\n")
PYTHON = re.compile(r"((?:^ {4}#.*\n)+)^ {4}(\w+): ([^=\n]+?)(?: = (.*))?$", re.M)
# A pattern for a default that the text states, for the column of defaults.
DEFAULT = re.compile(r"(?:^|(?<=[.;)] ))(?:[Tt]he )?[Dd]efault(?::| is)? ((?:[^.;:(,]|[.,](?=\d))+)")


def _sentence(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _after_default(text: str, default: str) -> tuple[str, str]:
    """Return the text and the default. If the declaration has no default, the default is read from the text."""
    stated = DEFAULT.search(text)
    return (text, stated[1].strip() if stated and not default else default)


def csharp(source: str) -> list[Setting]:
    settings = []
    for match in CSHARP.finditer(source):
        summary = re.sub(r"^ *///", "", match[1], flags=re.M)
        summary = re.sub(r'<see (?:cref|langword)="(?:\w+\.)*(\w+)"\s*/>', r"`\1`", summary)
        summary = re.sub(r"</?c>", "`", summary)
        text, default = _after_default(_sentence(re.sub(r"<[^>]+>", "", summary)), "")
        text = re.sub(r"^Gets (?:or sets )?([\w`])", lambda first: first[1].upper(), text)
        kind = match[2]
        unset = "null" if kind.endswith("?") else {"bool": "false", "int": "0"}.get(kind, "")
        settings.append(Setting(match[3], kind, default or match[4] or unset, text))
    return settings


def node(source: str, interface: str) -> list[Setting]:
    body = re.search(rf"export interface {interface}\b[^{{]*\{{\n((?:.|\n)*?)\n\}}", source)
    assert body is not None, interface
    settings = []
    for match in NODE.finditer(body[1] + "\n"):
        text, _, default = _sentence(re.sub(r"\n *\* ?", " ", match[1] or "")).partition(" @defaultValue ")
        kind = _sentence(match[4]).removesuffix(" | undefined")
        settings.append(Setting(match[2], kind, default or ("undefined" if match[3] else ""), text))
    return settings


def python(source: str, cls: str) -> list[Setting]:
    body = source[source.index(f"class {cls}") :]
    body = re.split(r"\n    def |\n    @", body)[0]
    settings = []
    for match in PYTHON.finditer(body):
        text, default = _after_default(_sentence(re.sub(r"^ *#", "", match[1], flags=re.M)), match[4] or "")
        settings.append(Setting(match[2], match[3], default, text))
    return settings
