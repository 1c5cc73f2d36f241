"""`CacheClient`'s calls on many items at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from time import monotonic
from typing import Any, cast

from larder_cache import operations as op
from larder_cache import pipeline_codec as codec
from larder_cache import responses as r
from larder_cache.arguments import BatchItem, Key, Refusal, Value, check_timeout, to_bytes, to_items, to_key, to_keys
from larder_cache.batch_parts import parts_of
from larder_cache.client_calls import ClientCalls
from larder_cache.ttl import Ttl


class BatchCalls(ClientCalls):
    """Many items in one call."""

    async def get_batch(self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None) -> r.GetBatchResponse:
        """Get many values in one call, in the keys' order.

        A batch over 11,010,048 bytes is sent in parts, within the one deadline; the keys of a part that failed are
        answered with its error, where another part did not fail.
        """
        try:
            name = self._names.get(cache) or self._name(cache)
            items = [codec.encode_key(key) for key in to_keys(keys)]
            answers = await self._run_parts(op.GET_BATCH, name, items, timeout_s)
        except Refusal as refusal:
            return refusal.error
        if len(answers) == 1 or all(isinstance(answer, r.Error) for _, answer in answers):
            return answers[0][1]
        joined: list[r.Hit | r.Miss | r.Error] = []
        for count, answer in answers:
            joined += [answer] * count if isinstance(answer, r.Error) else answer.responses
        return r.GetBatchSuccess(joined)

    async def set_batch(
        self,
        cache: str,
        items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem],
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetBatchResponse:
        """Set many values in one call: a mapping, or (key, value) or (key, value, ttl) tuples.

        A batch over 11,010,048 bytes is sent in parts, within the one deadline: an Error is then the first part's that
        failed, and the others were stored.
        """
        try:
            name = self._names.get(cache) or self._name(cache)
            requests = [self._item(item, ttl) for item in to_items(items)]
            answers = await self._run_parts(op.SET_BATCH, name, requests, timeout_s)
        except Refusal as refusal:
            return refusal.error
        return next((answer for _, answer in answers if isinstance(answer, r.Error)), r.SUCCESS)

    async def keys_exist(
        self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.KeysExistResponse:
        """Whether each of the keys is there, in their order. Over 11,010,048 bytes: as `set_batch`."""
        try:
            name = self._names.get(cache) or self._name(cache)
            answers = await self._run_parts(op.KEYS_EXIST, name, to_keys(keys), timeout_s)
        except Refusal as refusal:
            return refusal.error
        for _, answer in answers:
            if isinstance(answer, r.Error):
                return answer
        return r.ExistsEach([exists for _, answer in answers for exists in answer.exists])

    async def key_exists(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.KeyExistsResponse:
        """Whether a key is there."""
        answer = await self.keys_exist(cache, [key], timeout_s=timeout_s)
        return answer if isinstance(answer, r.Error) else r.Exists(answer.exists[0])

    async def _run_parts(
        self, operation: op.Operation[Any], name: str, items: list[bytes], timeout_s: float | None
    ) -> list[tuple[int, Any]]:
        """Run a batch in as many parts as it needs, one after the other: how many items each had, and its answer."""
        parts = parts_of(items)
        if len(parts) == 1:
            return [(len(items), await self._run(operation, name, parts[0][1], timeout_s))]
        if timeout_s is not None:
            check_timeout(timeout_s)
        until = monotonic() + (timeout_s or self._configuration.request_timeout_s)
        answers: list[tuple[int, Any]] = []
        for count, payload in parts:
            # The least that a call may have: what is late ends as any call that is.
            left = max(0.001, until - monotonic())
            answers.append((count, await self._run(operation, name, payload, left)))
        return answers

    async def delete_each(
        self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None
    ) -> list[r.DeleteResponse]:
        """Remove many items at once: an answer for each key, in order. A refused key refuses all."""
        try:
            name = self._names.get(cache) or self._name(cache)
            payloads = [codec.encode_key(key) for key in to_keys(keys)]
        except Refusal as refusal:
            return [refusal.error]
        return await self.run_each(op.DELETE, name, payloads, timeout_s)

    def _item(self, item: BatchItem, ttl: Ttl | None) -> bytes:
        """Return one item's SetRequest."""
        if not isinstance(cast(Any, item), (tuple, list)) or not 2 <= len(item) <= 3:
            raise TypeError("a batch's item is (key, value) or (key, value, ttl)")
        own = item[2] if len(item) == 3 else None
        ttl_field = codec.encode_ttl(self._ttl(ttl if own is None else own))
        return codec.encode_set(to_key(item[0]), to_bytes(item[1]), ttl_field)
