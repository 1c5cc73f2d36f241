from collections.abc import Callable
from typing import Any

def cache_page(timeout: float) -> Callable[[Callable[..., Any]], Callable[..., Any]]: ...
