"""The wheel in a separate environment without other packages such as grpcio or protobuf, with a real server.

Requires hatchling, which builds the wheel, and pip 22.3 or newer, which installs it into another environment. Neither
an index nor the module ensurepip (Debian's python3-venv) is needed: the environment is created without pip.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.certificates import Certificates, needs_openssl
from tests.support.larder_server import larder_server

PACKAGE = Path(__file__).parents[2]
HANG_S = 60

SECURED = """
import asyncio, sys
from larder_cache import CacheClient, CredentialProvider, TlsOptions, TopicStart, sync
from larder_cache import responses as r
from larder_cache.topic_event import Item

port, authority, token = sys.argv[1:]


def credentials(token):
    tls = TlsOptions(authority_files=(authority,))
    return CredentialProvider.from_string(f"https://localhost:{port}").with_tls(tls).with_token(token)


async def main():
    async with CacheClient(credentials(token), default_ttl=60) as client:
        cache = client.cache("cache").results
        assert isinstance(await cache.set("k", "v"), r.Success)
        large = b"x" * 200_000  # It travels unary.
        assert isinstance(await cache.set("large", large), r.Success)
        assert [await cache.get("k"), await cache.get("large")] == [r.Hit(b"v"), r.Hit(large)]
        assert (await cache.get_batch(["k", "none"])).responses == [r.Hit(b"v"), r.Miss()]
        await client.create_cache("second")
        assert set((await client.list_caches()).names) == {"cache", "second"}
        async with cache.subscribe("topic", start=TopicStart.NOW) as subscription:
            assert isinstance(await cache.publish("topic", "message"), r.Success)
            async for event in subscription:
                assert isinstance(event, Item) and event.value == "message", event
                break
    async with CacheClient(credentials("a wrong token"), default_ttl=60) as client:
        refused = await client.cache("cache").results.get("k")
        assert isinstance(refused, r.Error) and refused.code.name == "UNAUTHENTICATED", refused


asyncio.run(main())
with sync.CacheClient(credentials(token), default_ttl=60) as client:
    assert client.cache("cache").results.get("k") == r.Hit(b"v")
"""

ALONE = """
import importlib.metadata, pkgutil, sys
import larder_cache, larder_cache.sync, larder_cache.fake
# What a framework needs is imported by its own module alone.
own = ("celery", "django", "django_clients", "django_values", "dogpile", "flask_caching", "flask_values", "lease_mutex")
for module in pkgutil.walk_packages(larder_cache.__path__, "larder_cache."):
    if module.name.rpartition(".")[2] not in own + ("open_telemetry",):
        __import__(module.name)
assert not {"grpc", "google"} & set(sys.modules)
print([each.metadata["Name"] for each in importlib.metadata.distributions()], larder_cache.__file__)
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment with only the wheel."""
    if find_spec("hatchling") is None or find_spec("pip") is None:
        pytest.skip("hatchling and pip build and install the package; one of them is not installed")
    folder = tmp_path_factory.mktemp("installed")
    environment = folder / "environment"
    _run(folder, sys.executable, "-m", "venv", "--without-pip", environment)
    _run(PACKAGE, sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    found = environment / "bin" / "python"
    # With --no-index, pip would fail if the wheel required other packages.
    pip = (sys.executable, "-m", "pip", "--python", found, "install", "-q", "--no-index", "--disable-pip-version-check")
    _run(folder, *pip, next(folder.glob("*.whl")))
    return found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Certificates]:
    files = Certificates(tmp_path_factory.mktemp("tls") / "files")
    files.issue("server", host="localhost")
    yield files


def _run(folder: Path, *command: str | Path) -> str:
    # Run outside the checkout, and without this process's environment variables for Python and Larder.
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LARDER_"))}
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=HANG_S)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def test_installed_wheel_imports_no_other_package(python: Path, tmp_path: Path) -> None:
    names, _, path = _run(tmp_path, python, "-c", ALONE).partition("] ")
    assert names == "['larder-cache'" and Path(path.strip()).is_relative_to(python.parents[1])


def test_installed_wheel_runs_the_readme_example(python: Path, tmp_path: Path) -> None:
    page = (PACKAGE / "README.md").read_text()
    first = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    with larder_server() as port:
        credentials = f'CacheClient(CredentialProvider.from_string("http://127.0.0.1:{port}"), '
        program = first.replace("CacheClient(", credentials)
        program = program.replace("import CacheClient\n", "import CacheClient, CredentialProvider\n")
        assert _run(tmp_path, python, "-c", program) == "b'hello'\n"


@needs_openssl
def test_installed_wheel_supports_tls_tokens_and_topics(python: Path, files: Certificates, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("a-token-0123456789")
    tls = ("--tls-cert", str(files.path("server.pem")), "--tls-key", str(files.path("server.key")))
    with larder_server(*tls, "--token-file", str(token)) as port:
        _run(tmp_path, python, "-c", SECURED, str(port), str(files.authority), token.read_text())
