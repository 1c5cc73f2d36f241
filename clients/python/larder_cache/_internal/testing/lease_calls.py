"""Calls on leases.

No call waits, because the time of a fake does not advance by itself. If another caller has the lease, the response is
returned immediately, and the caller must ask again.
"""

from __future__ import annotations

from larder_cache._internal.leases.made_value import MOST_VALIDATOR_BYTES
from larder_cache._internal.operations._generated.messages import extras as pb
from larder_cache._internal.testing.items import Items
from larder_cache._internal.testing.refused import invalid
from larder_cache._internal.testing.rules import check_key
from larder_cache._internal.testing.tag_calls import checked_tags
from larder_cache.get_or_set_options import MOST_LEASE_MS


def get_or_lease(items: Items, q: pb.GetOrLeaseRequest) -> pb.GetOrLeaseResponse:
    check_key(q.key)
    if not 1 <= q.lease_ms <= MOST_LEASE_MS:
        raise invalid(f"the lease must be from 1 to {MOST_LEASE_MS:,} ms")
    value = items.scalar(q.key)
    if value is not None:
        return pb.GetOrLeaseResponse(hit=pb.GetOrLeaseResponse.Hit(value=value))
    stale = items.stale(q.key)
    token = items.leases.give(q.key, q.lease_ms * 1_000_000)
    if stale is not None:
        value, expired_ms, validator = stale
        answer = pb.GetOrLeaseResponse.Stale(value=value, expired_ms=expired_ms, token=token, validator=validator)
        return pb.GetOrLeaseResponse(stale=answer)
    if token:
        return pb.GetOrLeaseResponse(lease=pb.GetOrLeaseResponse.Lease(token=token))
    return pb.GetOrLeaseResponse(elsewhere=pb.GetOrLeaseResponse.Elsewhere())


def set_with_lease(items: Items, q: pb.SetWithLeaseRequest) -> pb.SetWithLeaseResponse:
    items.ttl.check_item(q.key, q.value, q.ttl_ms)
    if q.stale_ms > items.ttl.most_ms:
        raise invalid(f"the stale time must be at most {items.ttl.most_ms} ms (the server's --max-ttl)")
    if len(q.validator) > MOST_VALIDATOR_BYTES:
        raise invalid(f"a validator must have at most {MOST_VALIDATOR_BYTES:,} bytes")
    tags, empty = checked_tags(q.tags), pb.SetWithLeaseResponse.Empty()
    if q.token:
        lease = items.leases.taken(q.key, q.token)
        if lease is None or items.find(q.key) is not None:
            return pb.SetWithLeaseResponse(not_stored=empty)
        if lease.barred & tags:
            items.remove(q.key)
            return pb.SetWithLeaseResponse(stored=empty)
    items.put(q.key, q.value, q.ttl_ms, tags, q.stale_ms, q.validator)
    return pb.SetWithLeaseResponse(stored=empty)


def release_lease(items: Items, q: pb.ReleaseLeaseRequest) -> pb.ReleaseLeaseResponse:
    check_key(q.key)
    items.leases.taken(q.key, q.token)
    return pb.ReleaseLeaseResponse()
