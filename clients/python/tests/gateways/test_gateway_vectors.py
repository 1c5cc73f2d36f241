"""The cases of protocol/vectors/clients/gateways.json, which are common to all clients."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from larder_cache import CredentialProvider
from larder_cache._internal.gateways.gateway_choice import choose
from larder_cache._internal.gateways.gateway_health import GatewayHealth
from larder_cache._internal.gateways.gateway_names import gateways_of

_VECTORS = Path(__file__).parents[4] / "protocol/vectors/clients/gateways.json"
_CASES: list[dict[str, Any]] = json.loads(_VECTORS.read_text())


@pytest.mark.parametrize("case", _CASES, ids=lambda case: f"{case['rule']}: {case['case']}")
def test_gateways_match_shared_test_vectors(case: dict[str, Any]) -> None:
    if "list" in case:
        _reads(case["list"], case["then"])
    elif "resolved" in case:
        assert gateways_of(case["resolved"]) == case["then"]["addresses"]
    elif "inFlight" in case:
        in_flight: list[int] = case["inFlight"]
        numbers = [number for number in range(len(in_flight)) if number != case.get("failedBy")] or [case["failedBy"]]
        taken = choose([in_flight[number] for number in numbers], *case["draws"])
        assert numbers[taken] == case["then"]["gateway"]
    else:
        health = GatewayHealth(case["mostMs"] / 1_000)
        for number, step in enumerate(case["steps"], 1):
            # A sum of times in seconds may differ by a rounding error from the time in milliseconds.
            health.refused(step["refusedAtMs"] / 1_000 + number * 1e-9, step["random"])
            assert abs(health.aside_until * 1_000 - step["then"]["asideUntilMs"]) < 1e-3


def _reads(text: str, then: dict[str, Any]) -> None:
    if "refused" in then:
        with pytest.raises(ValueError) as refused:
            CredentialProvider.from_string(text)
        assert then["refused"] in str(refused.value)
        assert "s3" not in str(refused.value)
        return
    gateways = CredentialProvider.from_string(text).gateways()
    assert [f"{'https' if gateway.tls else 'http'}://{gateway.endpoint}" for gateway in gateways] == then["gateways"]
    if "tokens" in then:
        assert [gateway.token for gateway in gateways] == then["tokens"]


@pytest.mark.parametrize("count", [64, 65])
def test_address_list_has_at_most_64_entries(count: int) -> None:
    text = ",".join(f"http://127.0.0.1:{port}" for port in range(1, count + 1))
    if count == 64:
        assert len(CredentialProvider.from_string(text).gateways()) == 64
    else:
        with pytest.raises(ValueError, match="65 addresses; at most 64"):
            CredentialProvider.from_string(text)


def test_address_list_repr_contains_no_token() -> None:
    assert "s3cret" not in repr(CredentialProvider.from_string("http://s3cret@a,http://s3cret2@b"))


def test_address_list_of_the_readme_is_valid() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    text = "http://gateway1:8080,http://gateway2:8080"
    assert f'CredentialProvider.from_string("{text}")' in readme
    assert [gateway.endpoint for gateway in CredentialProvider.from_string(text).gateways()] == [
        "gateway1:8080",
        "gateway2:8080",
    ]
