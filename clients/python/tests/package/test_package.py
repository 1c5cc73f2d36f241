"""The contents of the distribution: the client and its documents, without tests."""

from __future__ import annotations

import email.parser
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_spec("hatchling") is None:
        pytest.skip("hatchling, which builds the package, is not installed")
    target = tmp_path_factory.mktemp("package")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(target)], cwd=PACKAGE, check=True)
    return target


def test_wheel_contains_the_client_its_types_and_the_licence(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = wheel.namelist()
        [metadata] = [name for name in names if name.endswith("/METADATA")]
        said = email.parser.Parser().parsestr(wheel.read(metadata).decode())
        offered = wheel.read(metadata.replace("METADATA", "entry_points.txt")).decode()
    assert {
        "larder_cache/client.py",
        "larder_cache/py.typed",
        "larder_cache/_internal/operations/_generated/messages/cache.py",
    } <= set(names)
    assert not [name for name in said.get_all("Requires-Dist", []) if "extra ==" not in name]
    assert "[celery.result_backends]\nlarder = larder_cache.celery:LarderBackend\n" in offered
    assert {"larder_cache/fake.py", "larder_cache/_internal/testing/fake_server.py"} <= set(names)
    assert any(name.endswith("LICENSE") for name in names)
    assert "[dogpile.cache]\nlarder = larder_cache.dogpile:LarderBackend\n" in offered
    assert {name.split("/")[0] for name in names} == {"larder_cache", metadata.split("/")[0]}
    assert (said["License"] or said["License-Expression"]) == "Apache-2.0"
    assert "cache" in said["Keywords"].split(",")
    assert {"Repository", "Changelog"} <= {url.split(",")[0] for url in said.get_all("Project-URL", [])}


def test_source_distribution_excludes_tests_and_development_folders(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as source:
        names = {name.split("/", 1)[1] for name in source.getnames() if "/" in name}
    assert {"larder_cache/client.py", "LICENSE", "README.md", "pyproject.toml"} <= names
    assert not [
        name for name in names if name.split("/")[0] in {"tests", "agent", "bench", "node_modules", "protobuf_messages"}
    ]
