from collections.abc import Callable
from typing import Any

def path(route: str, view: Callable[..., Any]) -> Any: ...
