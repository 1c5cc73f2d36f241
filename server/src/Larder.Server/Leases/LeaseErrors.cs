using Larder.Server.Calls;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Leases;

/// <summary>The errors of calls on leases and tags.</summary>
internal static class LeaseErrors
{
    public static readonly CallError NoTags = new(StatusCode.InvalidArgument, "the request names no tag");

    public static readonly CallError BadTag = new(
        StatusCode.InvalidArgument,
        $"a tag has from 1 to {LeaseLimits.MaxTagBytes} bytes, and an item or a request at most {Cache.MaxTags} tags");

    public static readonly CallError TooMany = new(
        StatusCode.ResourceExhausted,
        "the server has its most leases, and this cache its share of them; create the value without a lease");

    public static CallError BadLease(uint leaseMs) =>
        new(StatusCode.InvalidArgument, $"the lease is {leaseMs} ms; it must be from 1 to {LeaseLimits.MaxLeaseMs} ms");

    public static CallError BadStaleTime(ulong staleMs, long maxTtlMs) =>
        new(StatusCode.InvalidArgument, $"the stale time is {staleMs} ms; it must be from 0 to {maxTtlMs} ms, this server's --max-ttl");
}
