"""Sets longer default timeouts for adapters, because their tests run concurrently with other tests on two processors.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from larder_cache import Configurations
from tests.conftest import PATIENCE_S


@pytest.fixture(scope="package", autouse=True)
def patient_default() -> Iterator[None]:
    default = Configurations.InRegion.Default
    patient = default.latest().with_settings(request_timeout_s=PATIENCE_S)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(default, "latest", lambda: patient)
        yield
