# What Larder uses of dogpile.cache, which ships no types.
from typing import Any

from dogpile.cache.region import CacheRegion

def make_region(name: str | None = ..., **settings: Any) -> CacheRegion: ...
