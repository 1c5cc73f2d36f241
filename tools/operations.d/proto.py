"""Parses protocol/proto/*.proto: messages, fields, rpcs, and the comment before each of them.

This parser avoids the need to install a compiler. It supports only the part of proto3 that these files use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_TOKEN = re.compile(r"//(?P<comment>[^\n]*)|(?P<word>[\w.]+)|(?P<mark>[{}=;()])|\"(?P<text>[^\"]*)\"")


@dataclass(frozen=True)
class Field:
    """A field. `kind` is the last part of its type's name; `oneof` is the group of which it is an arm, or empty."""

    name: str
    kind: str
    number: int
    repeated: bool
    oneof: str
    doc: str


@dataclass(frozen=True)
class Message:
    """A message with its nested messages."""

    name: str
    doc: str = ""
    fields: list[Field] = field(default_factory=list)
    nested: dict[str, Message] = field(default_factory=dict)
    enums: dict[str, dict[str, int]] = field(default_factory=dict)

    def arms(self, oneof: str = "") -> list[Field]:
        """Return the fields of a oneof of the message; empty if it does not exist."""
        return [each for each in self.fields if each.oneof and oneof in ("", each.oneof)]

    @property
    def plain(self) -> list[Field]:
        """Return the fields outside any oneof."""
        return [each for each in self.fields if not each.oneof]


@dataclass(frozen=True)
class Rpc:
    """A call: the full name of its service and the names of its messages."""

    name: str
    service: str
    request: str
    response: str
    streams_in: bool
    streams: bool
    doc: str

    @property
    def path(self) -> str:
        return f"/{self.service}/{self.name}"


@dataclass
class File:
    """The definitions of one file, in their order."""

    name: str
    package: str = ""
    imports: list[str] = field(default_factory=list)
    csharp_namespace: str = ""
    messages: list[Message] = field(default_factory=list)
    enums: dict[str, dict[str, int]] = field(default_factory=dict)
    rpcs: dict[str, list[Rpc]] = field(default_factory=dict)


@dataclass
class Contract:
    """The definitions of all files."""

    messages: dict[str, Message] = field(default_factory=dict)
    rpcs: dict[str, Rpc] = field(default_factory=dict)
    files: list[File] = field(default_factory=list)

    def message(self, name: str, within: Message | None = None) -> Message:
        """Return the message that a field of `within` refers to by this name."""
        return within.nested[name] if within and name in within.nested else self.messages[name]

    def has_list(self, message: Message, outer: tuple[Message, ...] = ()) -> bool:
        """Return whether a message, or a message in one of its fields, has a repeated field."""
        scopes = (message, *outer)
        for each in message.fields:
            inner = next((scope.nested[each.kind] for scope in scopes if each.kind in scope.nested), None)
            inner = inner or self.messages.get(each.kind)
            if each.repeated or (inner and self.has_list(inner, scopes)):
                return True
        return False


class _Reader:
    def __init__(self, path: Path, contract: Contract) -> None:
        text = path.read_text()
        self.path, self.contract, self.file = path, contract, File(path.name)
        contract.files.append(self.file)
        self.tokens = [
            (found.lastgroup, found.group(found.lastgroup), text.count("\n", 0, found.start()))
            for found in _TOKEN.finditer(text)
        ]
        self.place = 0
        self.comment: list[str] = []
        self.comment_line = -2

    def next(self) -> str:
        """Return the next token. Comments before the token are stored for `doc`."""
        while True:
            group, text, line = self.tokens[self.place]
            self.place += 1
            if group != "comment":
                self.line = line
                return text
            # A comment behind code on the same line describes that code, not the next definition.
            if self.place > 1 and self.tokens[self.place - 2][2] == line:
                continue
            if line != self.comment_line + 1:
                self.comment = []
            self.comment.append(text.strip())
            self.comment_line = line

    def doc(self) -> str:
        """Return the comment that ends on the line above the last token."""
        said = " ".join(self.comment) if self.comment_line == self.line - 1 else ""
        self.comment = []
        return said

    def skip_to(self, mark: str) -> list[str]:
        words: list[str] = []
        while (word := self.next()) != mark:
            words.append(word)
        return words

    def read(self) -> None:
        while self.place < len(self.tokens):
            word = self.next()
            doc = self.doc()
            if word == "package":
                self.file.package = self.skip_to(";")[0]
            elif word == "service":
                self.service()
            elif word == "message":
                message = self.message(doc)
                self.contract.messages[message.name] = message
                self.file.messages.append(message)
            elif word == "enum":
                self.enum(self.file.enums)
            elif word == "import":
                self.file.imports += self.skip_to(";")
            elif word == "option":
                name, _, value = self.skip_to(";")
                self.file.csharp_namespace = value if name == "csharp_namespace" else self.file.csharp_namespace
            elif word == "syntax":
                self.skip_to(";")
            else:
                raise ValueError(f"{self.path.name}:{self.line + 1}: unexpected '{word}' ({doc})")

    def service(self) -> None:
        service = self.next()
        name = f"{self.file.package}.{service}"
        self.skip_to("{")
        while self.next() == "rpc":
            doc = self.doc()
            words = self.skip_to(";")
            called = [word for word in words if word not in ("(", ")", "returns")]
            streams = called[-2] == "stream"
            asks, answers = (word.split(".")[-1] for word in called[1:] if word != "stream")
            rpc = Rpc(called[0], name, asks, answers, called[1] == "stream", streams, doc)
            self.contract.rpcs[rpc.name] = rpc
            self.file.rpcs.setdefault(service, []).append(rpc)

    def enum(self, into: dict[str, dict[str, int]]) -> None:
        name = self.next()
        self.skip_to("{")
        values: dict[str, int] = {}
        while (word := self.next()) != "}":
            values[word] = int(self.skip_to(";")[1])
        into[name] = values

    def message(self, doc: str) -> Message:
        message = Message(self.next(), doc)
        self.skip_to("{")
        self.body(message, "")
        return message

    def body(self, message: Message, oneof: str) -> None:
        while (word := self.next()) != "}":
            doc = self.doc()
            if word == "message":
                nested = self.message(doc)
                message.nested[nested.name] = nested
            elif word == "enum":
                self.enum(message.enums)
            elif word == "oneof":
                name = self.next()
                self.skip_to("{")
                self.body(message, name)
            else:
                repeated = word == "repeated"
                kind = self.next() if repeated else word
                name, _, number = self.skip_to(";")
                message.fields.append(Field(name, kind.split(".")[-1], int(number), repeated, oneof, doc))


def read(folder: Path) -> Contract:
    """Return the contract that the .proto files of a folder define."""
    contract = Contract()
    for path in sorted(folder.glob("*.proto")):
        _Reader(path, contract).read()
    return contract
