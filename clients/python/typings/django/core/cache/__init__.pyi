from typing import Any

cache: Any
caches: Any
