"""All clients parse the same server addresses, and no client prints the token."""

from __future__ import annotations

import pytest

from larder_cache import CredentialProvider


@pytest.mark.parametrize(
    ("text", "endpoint", "tls", "token"),
    [
        ("http://127.0.0.1:19000", "127.0.0.1:19000", False, ""),
        ("larder://127.0.0.1:19000", "127.0.0.1:19000", False, ""),
        ("https://sesame@cache.example", "cache.example:8080", True, "sesame"),
        ("larders://open%40sesame@[::1]:1", "[::1]:1", True, "open@sesame"),
        (" HTTP://localhost/ ", "localhost:8080", False, ""),
    ],
)
def test_from_string_parses_scheme_token_host_and_optional_port(
    text: str, endpoint: str, tls: bool, token: str
) -> None:
    read = CredentialProvider.from_string(text)
    assert (read.endpoint, read.tls, read.token) == (endpoint, tls, token)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "has no ://"),
        ("sesame", "has no ://"),
        ("sesame@host:1", "has no ://"),
        ("sesame@http://host:1", "'…@http://host:1'"),
        ("ftp://sesame@host", "'ftp://…@host'"),
        ("https://sesame@", "the host is missing"),
        ("https://sesame@host:99999", "the port must be from 1 to 65535, not 99999"),
        ("http://host:0", "the port must be"),
        ("http://host:port", "'http://host:port'"),
        ("http://::1:80", "'http://::1:80'"),
        ("http://sesame@host:1/path", "'http://…@host:1/path'"),
        ("http://host?token=sesame", r"'http://host\?…'"),
        ("http://open/sesame@host", "in a token, write / as %2F"),
    ],
)
def test_from_string_rejects_invalid_url_without_printing_its_token(text: str, named: str) -> None:
    with pytest.raises(ValueError, match=named) as refused:
        CredentialProvider.from_string(text)
    assert "sesame" not in str(refused.value) and "http[s]://[token@]host[:port]" in str(refused.value)


def test_credential_provider_rejects_a_url_as_endpoint() -> None:
    with pytest.raises(ValueError, match="host:port, not 'http://…@host:1'"):
        CredentialProvider(endpoint="http://sesame@host:1")


def test_token_from_the_environment_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LARDER_URL", "https://sesame@cache.example:8443")
    credentials = CredentialProvider.from_environment_variable()
    assert (credentials.token, credentials.tls, credentials.endpoint) == ("sesame", True, "cache.example:8443")
    assert "sesame" not in repr(credentials)


def test_error_names_the_invalid_or_missing_environment_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LARDER_URL", "http://sesame@host/path")
    with pytest.raises(ValueError, match="LARDER_URL is invalid: invalid server address 'http://…@host/path'"):
        CredentialProvider.from_environment_variable()
    monkeypatch.delenv("LARDER_URL")
    with pytest.raises(ValueError, match="LARDER_URL is not set"):
        CredentialProvider.from_environment_variable()
