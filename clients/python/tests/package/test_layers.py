"""The layers of the package: which modules each module may import."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "larder_cache"
INTERNAL = PACKAGE / "_internal"
FILES = sorted(PACKAGE.rglob("*.py"))

# The folders of _internal, in order. A folder may import only folders before it.
LAYERS = [
    *("common", "configuration", "http2", "operations", "telemetry", "near", "transport", "gateways", "topics"),
    *("calls", "client", "collections", "leases", "codecs", "blocking", "integrations", "testing"),
]
# Maximum number of modules in a folder.
MOST_FILES = 30

# Modules that contain only logic. They must not import an event loop, gRPC, sockets or TLS.
PURE = {
    *("configuration", "configurations", "errors", "near_cache", "responses", "topic_event", "topic_start", "ttl"),
    *(
        f"_internal/{name}"
        for name in (
            *("calls/in_flight_limiter", "calls/retry_policy", "configuration/headers"),
            *("http2/body_length", "http2/grpc_status", "http2/hpack"),
            *("http2/http2_exchange", "http2/http2_frames", "http2/http2_session"),
            *("leases/expiry_policy", "near/near_copies", "near/near_flights", "near/near_get", "near/near_state"),
            *("operations/message", "operations/pipeline_codec", "operations/requests"),
            *("topics/subscription_state", "transport/clock_gap"),
            *(f"codecs/{path.stem}" for path in (INTERNAL / "codecs").glob("*.py")),
        )
    ),
}
EDGES = {"asyncio", "grpc", "socket", "ssl", "uvloop"}


def _imports(path: Path, types: bool = True) -> set[str]:
    """Return the modules that a module imports. With `types`, include the modules imported under TYPE_CHECKING."""
    names: set[str] = set()
    tree = ast.parse(path.read_text())
    if not types:
        tree.body = [
            node for node in tree.body if not isinstance(node, ast.If) or ast.unparse(node.test) != "TYPE_CHECKING"
        ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def test_pure_modules_import_no_io_modules() -> None:
    for name in PURE:
        roots = {imported.split(".")[0] for imported in _imports(PACKAGE / f"{name}.py")}
        assert not roots & EDGES, name


def test_package_imports_neither_grpcio_nor_protobuf() -> None:
    for path in FILES:
        assert not {name.split(".")[0] for name in _imports(path)} & {"grpc", "google", "protobuf_messages"}, path.name


def test_package_imports_neither_agent_nor_tests_nor_pickle() -> None:
    for path in FILES:
        # Only django_values may import pickle, because Django's values are pickled and signed.
        outside: set[str] = {"agent", "tests", "bench"} | ({"pickle"} if path.stem != "django_values" else set[str]())
        assert not {name.split(".")[0] for name in _imports(path)} & outside, path.name


def test_test_modules_import_no_other_test_modules() -> None:
    for path in sorted((PACKAGE.parent / "tests").rglob("*.py")):
        names = {name.rpartition(".")[2] for name in _imports(path) if name.startswith("tests.")}
        assert [name for name in names if name.startswith("test_")] == [], path.name


def test_framework_is_imported_only_by_its_own_backend() -> None:
    for path in FILES:
        roots = {name.split(".")[0] for name in _imports(path)}
        assert not roots & {"flask", "flask_caching", "markupsafe", "werkzeug"} or path.stem.startswith("flask_"), path
        assert "dogpile" not in roots or path.stem == "dogpile", path
        assert not roots & {"celery", "kombu"} or path.stem == "celery", path
        assert "django" not in roots or path.stem in {"django", "django_values"}, path


def test_only_fake_imports_fake_server_which_uses_no_network() -> None:
    for path in FILES:
        imported = _imports(path)
        is_fake = path.parent == INTERNAL / "testing"
        uses_fake = any(name.startswith("larder_cache._internal.testing") for name in imported)
        assert is_fake or path == PACKAGE / "fake.py" or not uses_fake, path
        assert not is_fake or not {name.split(".")[0] for name in imported} & {"grpc", "socket", "ssl"}, path


def test_internal_folders_do_not_import_higher_layers() -> None:
    assert {path.name for path in INTERNAL.iterdir() if path.is_dir()} - {"__pycache__"} == set(LAYERS)
    for path in INTERNAL.glob("*/**/*.py"):
        layer = LAYERS.index(path.relative_to(INTERNAL).parts[0])
        used = [
            name.split(".")[2] for name in _imports(path, types=False) if name.startswith("larder_cache._internal.")
        ]
        assert [name for name in used if LAYERS.index(name) > layer] == [], path


def test_package_folders_stay_within_the_module_limit() -> None:
    tests = sorted((PACKAGE.parent / "tests").rglob("*.py"))
    for folder, count in Counter(path.parent for path in [*FILES, *tests]).items():
        # The limit does not count __init__.py.
        assert count <= MOST_FILES + 1, folder


def test_package_files_stay_within_the_line_limit() -> None:
    for path in FILES:
        # The limit does not count generated code, because it grows with the operation table or with its source module.
        text = path.read_text()
        is_generated = "_generated" in path.parts or "Written by tools/python-sync" in text
        by_hand = "" if is_generated else re.sub(r"(?s)# operations: \w+ \(tools.*?# operations: end", "", text)
        assert len(by_hand.splitlines()) <= 400, path.name
