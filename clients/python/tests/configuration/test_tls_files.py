"""TLS files on all transports, with a server that requires a client certificate (AUTH-34 to AUTH-36)."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from larder_cache import CacheClient, Configuration, CredentialProvider, ErrorCode, TlsOptions
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.configuration.tls_files import validity_of
from tests.conftest import pipelined
from tests.support.certificates import Certificates, needs_openssl
from tests.support.fake_server import FakeServer

pytestmark = needs_openssl


@pytest.fixture(scope="module", name="files")
def _files(tmp_path_factory: pytest.TempPathFactory) -> Certificates:  # pyright: ignore[reportUnusedFunction]
    files = Certificates(tmp_path_factory.mktemp("tls") / "ours")
    for name in ("alice", "bob", "carol"):
        files.issue(name)
    files.issue("stale", expired=True)
    files.issue("server", host="localhost")
    files.issue("named", host="cache.example")
    files.issue("old", host="localhost", expired=True)
    return files


@pytest.fixture(scope="module", name="others")
def _others(tmp_path_factory: pytest.TempPathFactory) -> Certificates:  # pyright: ignore[reportUnusedFunction]
    others = Certificates(tmp_path_factory.mktemp("tls") / "others")
    others.issue("mallory")
    return others


def _of(files: Certificates, name: str) -> TlsOptions:
    return TlsOptions(
        authority_files=(files.authority,),
        certificate_file=files.path(f"{name}.pem"),
        key_file=files.path(f"{name}.key"),
    )


def _credentials(options: TlsOptions, port: int = 1) -> CredentialProvider:
    return CredentialProvider.from_string(f"https://127.0.0.1:{port}").with_tls(options)


def _server(files: Certificates, name: str = "server", port: int = 0) -> FakeServer:
    own = (files.path(f"{name}.key").read_bytes(), files.path(f"{name}.pem").read_bytes())
    return FakeServer(tls=(*own, files.authority.read_bytes()), port=port)


def _client(configuration: Configuration, options: TlsOptions, server: FakeServer) -> CacheClient:
    return CacheClient(_credentials(options, server.port), default_ttl=60, configuration=configuration)


def test_auth_35_creation_error_reports_why_a_tls_file_is_invalid(files: Certificates, tmp_path: Path) -> None:
    alice = _of(files, "alice")
    locked = files.encrypt("alice", "sesame")
    broken = tmp_path / "broken.pem"
    broken.write_text("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    swapped = replace(alice, certificate_file=alice.key_file, key_file=alice.certificate_file)
    for options, message in (
        (
            replace(alice, certificate_file=tmp_path / "none"),
            "the client certificate file '.*none' cannot be read: No",
        ),
        (replace(alice, key_file=files.path("bob.key")), "the key in '.*bob.key' does not match the .*alice.pem'"),
        (swapped, "contains no certificate .* but a private key; check whether .* are swapped"),
        (
            replace(alice, key_file=alice.certificate_file),
            "contains no private key .* but a certificate; check whether .* are swapped",
        ),
        (_of(files, "stale"), "the certificate in '.*stale.pem' expired on 20"),
        (replace(alice, key_file=locked), "alice.encrypted.key' is encrypted; set key_password"),
        (replace(alice, key_file=locked, key_password="other"), "key_password is wrong for '.*alice.encrypted.key'"),
        (replace(alice, key_file=locked, key_password="x" * 1_025), "key_password is wrong"),
        (replace(alice, key_password="sesame"), "alice.key' is not encrypted, but key_password is set"),
        (TlsOptions(authority_files=(files.path("alice.key"),)), "the authority file '.*alice.key' contains no cert"),
        (TlsOptions(authority_files=(broken,)), "authority_files contains an invalid certificate: .*broken.pem"),
        (replace(alice, certificate_file=broken), "cannot be read"),
    ):
        with pytest.raises(ValueError, match=message):
            _credentials(options)
    with pytest.raises(ValueError, match="certificate_file and key_file must be set together"):
        TlsOptions(certificate_file=alice.certificate_file)
    with pytest.raises(ValueError, match="key_password is set without key_file"):
        TlsOptions(key_password="sesame")
    not_text: Any = b"sesame"
    with pytest.raises(TypeError, match="key_password must be str, not bytes"):
        replace(alice, key_password=not_text)
    for name in ("no name", ""):
        with pytest.raises(ValueError, match="server_name must be a host name"):
            TlsOptions(server_name=name)
    with pytest.raises(ValueError, match="does not use TLS"):
        CredentialProvider.local().with_tls(TlsOptions())


def test_certificate_validity_is_parsed_from_the_openssl_format(files: Certificates) -> None:
    begins, ends = validity_of(ssl.PEM_cert_to_DER_cert(files.path("alice.pem").read_text()))
    assert ends - begins == timedelta(days=2)
    assert abs(datetime.now(UTC) - begins) < timedelta(hours=1)


async def test_auth_34_client_presents_its_certificate(files: Certificates, configuration: Configuration) -> None:
    async with _server(files) as server, _client(configuration, _of(files, "alice"), server) as client:
        assert isinstance(await client.cache("cache").results.set("k", "v"), r.Success)
        assert set(server.shown) == {"alice"}


async def test_auth_34_encrypted_key_is_decrypted_with_its_password(
    files: Certificates, configuration: Configuration
) -> None:
    options = replace(_of(files, "alice"), key_file=files.encrypt("alice", "sesame"), key_password="sesame")
    assert "sesame" not in repr(options)
    async with _server(files) as server, _client(configuration, options, server) as client:
        assert isinstance(await client.cache("cache").results.set("k", "v"), r.Success)
        assert set(server.shown) == {"alice"}


async def test_auth_34_server_name_may_differ_from_the_address(
    files: Certificates, configuration: Configuration
) -> None:
    options = replace(_of(files, "alice"), server_name="cache.example")
    async with _server(files, "named") as server, _client(configuration, options, server) as client:
        assert isinstance(await client.cache("cache").results.set("k", "v"), r.Success)


@pytest.mark.parametrize(
    ("served", "shown", "trusting", "reason"),
    [
        ("server", "alice", "others", "the server's certificate is from an authority that this client does not trust"),
        ("old", "alice", "files", "the server's certificate has expired"),
        ("named", "alice", "files", "the server's certificate is for another host name"),
        ("server", "", "files", "the server requires a client certificate|may require a different client certificate"),
        ("server", "mallory", "files", "does not trust|may require a different client certificate"),
    ],
)
async def test_auth_35_failed_tls_connection_reports_the_reason(
    files: Certificates,
    others: Certificates,
    configuration: Configuration,
    served: str,
    shown: str,
    trusting: str,
    reason: str,
) -> None:
    trusted = (others if trusting == "others" else files).authority
    own = TlsOptions() if not shown else _of(others if shown == "mallory" else files, shown)
    options = replace(own, authority_files=(trusted,))
    response: object = None
    async with _server(files, served) as server, _client(configuration, options, server) as client:
        # A short timeout suffices, unless the machine is slow.
        for timeout_s in (0.5, 5.0):
            response = await client.cache("cache").with_timeout(timeout_s).results.get("k")
            if isinstance(response, r.Error) and any(part in response.message for part in reason.split("|")):
                break
    assert isinstance(response, r.Error) and response.code is ErrorCode.UNAVAILABLE, response
    assert any(part in response.message for part in reason.split("|")), response.message


async def test_a2_plaintext_and_tls_mismatch_fails_the_call(files: Certificates, configuration: Configuration) -> None:
    async with _server(files) as secured, FakeServer() as plain:
        plaintext = CredentialProvider.from_string(f"http://127.0.0.1:{secured.port}")
        for credentials in (plaintext, _credentials(_of(files, "alice"), plain.port)):
            short = configuration.with_settings(request_timeout_s=0.5)
            async with CacheClient(credentials, default_ttl=60, configuration=short) as client:
                response = await client.cache("cache").results.get("k")
            assert isinstance(response, r.Error), response
            assert response.code in (ErrorCode.UNAVAILABLE, ErrorCode.TIMEOUT), response


async def test_auth_36_changed_tls_files_apply_to_new_connections(
    files: Certificates, configuration: Configuration
) -> None:
    files.swap("carol", "rotated")
    port = 0
    client: Any = None

    async def certificate_of_new_connection() -> str:
        nonlocal port, client
        async with _server(files, port=port) as server:
            port = server.port
            client = client or _client(configuration, _of(files, "rotated"), server)
            while not isinstance(await client.cache("cache").results.set("k", "v"), r.Success):
                await asyncio.sleep(0.01)
            return server.shown[-1]

    assert await certificate_of_new_connection() == "carol"
    files.swap("bob", "rotated")
    assert await certificate_of_new_connection() == "bob"
    files.path("rotated.key").write_text("half written")
    assert await certificate_of_new_connection() == "bob"
    files.swap("alice", "rotated")
    assert await certificate_of_new_connection() == "alice"
    await client.aclose()


async def test_auth_34_blocking_client_presents_its_certificate(files: Certificates) -> None:
    async with _server(files) as server:

        def use() -> None:
            credentials = _credentials(_of(files, "alice"), server.port)
            with sync.CacheClient(credentials, default_ttl=60, configuration=pipelined()) as client:
                for _ in range(3):
                    assert isinstance(client.cache("cache").results.set("k", "v"), r.Success)
                assert client.statistics().connections == 2

        await asyncio.get_running_loop().run_in_executor(None, use)
        assert set(server.shown) == {"alice"}
