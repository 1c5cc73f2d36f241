"""Arrows point one way: what each module may import of ours."""

from __future__ import annotations

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "larder_cache"
FAKE = PACKAGE / "fake"
CODECS = PACKAGE / "codecs"
PROTO = PACKAGE / "_proto"
FILES = [*PACKAGE.glob("*.py"), *CODECS.glob("*.py"), *FAKE.glob("*.py"), *PROTO.glob("*.py")]

# What decides knows no event loop, no gRPC and no socket.
PURE = {
    *("in_flight_limiter", "retry_policy", "ttl", "configuration", "configurations", "headers", "responses", "errors"),
    *(
        "body_length",
        "hpack",
        "http2_frames",
        "http2_session",
        "http2_exchange",
        "grpc_status",
        "requests",
        "subscription_state",
        "topic_event",
        "topic_start",
    ),
    *("kept_times", "typed_form", *(f"codecs/{path.stem}" for path in CODECS.glob("*.py"))),
    *("near_cache", "near_state", "near_copies", "near_flights", "near_get"),
    "clock_gap",
    "message",
    "pipeline_codec",
}
EDGES = {"asyncio", "grpc", "socket", "ssl", "uvloop"}


def _imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def test_what_decides_imports_no_edge() -> None:
    for name in PURE:
        roots = {imported.split(".")[0] for imported in _imports(PACKAGE / f"{name}.py")}
        assert not roots & EDGES, name


def test_package_imports_neither_grpcio_nor_protobuf() -> None:
    for path in FILES:
        assert not {name.split(".")[0] for name in _imports(path)} & {"grpc", "google", "protobuf_messages"}, path.name


def test_the_package_imports_neither_agent_nor_tests_nor_pickle() -> None:
    for path in FILES:
        # Django's values alone are pickled, behind a signature.
        outside: set[str] = {"agent", "tests", "bench"} | ({"pickle"} if path.stem != "django_values" else set[str]())
        assert not {name.split(".")[0] for name in _imports(path)} & outside, path.name


def test_a_framework_is_imported_by_its_own_backend_alone() -> None:
    for path in FILES:
        roots = {name.split(".")[0] for name in _imports(path)}
        assert not roots & {"flask", "flask_caching", "markupsafe", "werkzeug"} or path.stem.startswith("flask_"), path
        assert "dogpile" not in roots or path.stem == "dogpile", path
        assert not roots & {"celery", "kombu"} or path.stem == "celery", path
        assert "django" not in roots or path.stem in {"django", "django_values"}, path


def test_the_fake_is_imported_by_itself_alone_and_knows_no_network() -> None:
    for path in FILES:
        imported = _imports(path)
        assert path.parent == FAKE or not {name for name in imported if name.startswith("larder_cache.fake")}, path
        assert path.parent != FAKE or not {name.split(".")[0] for name in imported} & {"grpc", "socket", "ssl"}, path


def test_no_file_is_longer_than_its_limit() -> None:
    for path in FILES:
        # What is written from the table grows with it, and a blocking twin with what it is written from.
        if path.parent == PROTO:
            continue
        text = path.read_text()
        twin = "Written by tools/python-sync" in text
        by_hand = "" if twin else re.sub(r"(?s)# operations: \w+ \(tools.*?# operations: end", "", text)
        assert len(by_hand.splitlines()) <= 400, path.name
