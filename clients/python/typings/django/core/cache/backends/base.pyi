# What Larder uses of Django's cache backends, which ship no types.
from typing import Any

DEFAULT_TIMEOUT: object

class BaseCache:
    default_timeout: float | None
    version: int
    def __init__(self, params: dict[str, Any]) -> None: ...
    def make_key(self, key: Any, version: int | None = ...) -> str: ...
    def validate_key(self, key: str) -> None: ...
