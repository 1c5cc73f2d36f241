from contextlib import AbstractContextManager
from typing import Any

def start_worker(app: Any, **settings: Any) -> AbstractContextManager[Any]: ...
