from typing import Any

class KeyValueStoreBackend:
    expires: Any
    url: str | None
    def __init__(self, app: Any, **settings: Any) -> None: ...
    def __reduce__(self, args: Any = ..., kwargs: Any = ...) -> Any: ...
