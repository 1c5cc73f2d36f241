"""The agent's scanKeys and scanItems: one page, or with "all" every page."""

from __future__ import annotations

import base64
from typing import Any

from agent import lists
from agent.fields import data, shown
from larder_cache import CacheResults
from larder_cache import responses as r


async def scan_keys(cache: CacheResults, q: dict[str, Any]) -> r.ScanKeysResponse:
    """Run scanKeys. With "all" the keys are sorted and distinct."""
    prefix = data(q, "prefix") if "prefix" in q or "prefixBase64" in q else b""
    kind = r.ItemType(q["type"]) if "type" in q else None
    cursor = base64.b64decode(q.get("cursorBase64", ""))
    met: dict[bytes, r.ScannedKey] = {}
    while True:
        page = await cache.scan_keys(prefix, type=kind, cursor=cursor, count=q.get("count", 0))
        if isinstance(page, r.Error) or not q.get("all"):
            return page
        met |= {each.key: each for each in page.keys}
        cursor = page.cursor
        if not cursor:
            return r.KeyPage([met[key] for key in sorted(met)], b"")


async def scan_items(cache: CacheResults, q: dict[str, Any]) -> dict[str, Any] | r.Miss | r.Error:
    """Run scanItems. With "all" the elements are sorted and distinct, except the elements of a list."""
    name, cursor = data(q, "key"), base64.b64decode(q.get("cursorBase64", ""))
    met: list[Any] = []
    while True:
        page = await cache.scan_items(name, cursor=cursor, count=q.get("count", 0))
        if isinstance(page, (r.Miss, r.Error)):
            return page
        met += _held(page)
        cursor = page.cursor
        if not cursor or not q.get("all"):
            break
    if q.get("all") and page.type is not r.ItemType.LIST:
        # If a field or element occurs several times, keep its last value or score.
        met = sorted({each if each.__class__ is bytes else each[0]: each for each in met}.values())
    noun = "items" if page.type is r.ItemType.DICTIONARY else "elements"
    told = {"type": page.type.value, noun: lists.told(met), "cursorBase64": base64.b64encode(cursor).decode()}
    return {"result": "hit"} | told


def scanned(page: r.KeyPage) -> dict[str, Any]:
    """Return the response fields for a page of keys."""
    keys = [shown("key", each.key) | _beside(each) for each in page.keys]
    return {"result": "success", "keys": keys, "cursorBase64": base64.b64encode(page.cursor).decode()}


def _held(page: r.DictionaryPage | r.SetPage | r.ListPage | r.SortedSetPage) -> list[Any]:
    match page:
        case r.DictionaryPage(held, _) | r.SetPage(held, _) | r.ListPage(held, _) | r.SortedSetPage(held, _):
            return list(held)


def _beside(key: r.ScannedKey) -> dict[str, Any]:
    return {"type": key.type.value, "remainingTtlMs": key.remaining_ttl_ms, "sizeBytes": key.size_bytes}
