using Larder.Server.Calls;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Leases;

/// <summary>The errors of calls on leases and tags.</summary>
internal static class LeaseErrors
{
    public static readonly CallError NoTags = new(StatusCode.InvalidArgument, "the request has no tags; pass at least one");

    public static readonly CallError BadTag = new(
        StatusCode.InvalidArgument,
        $"a tag must be 1 to {LeaseLimits.MaxTagBytes} bytes, and an item or a request may have at most {Cache.MaxTags} tags");

    public static readonly CallError BadValidator = new(StatusCode.InvalidArgument, $"a validator must have at most {Cache.MaxValidatorBytes} bytes");

    public static readonly CallError TooMany = new(
        StatusCode.ResourceExhausted,
        "the server has reached its maximum number of leases, and this cache has used its share of them; load the value without a lease");

    public static CallError BadLease(uint leaseMs) =>
        new(StatusCode.InvalidArgument, $"the lease must be 1 to {LeaseLimits.MaxLeaseMs} ms, but is {leaseMs} ms");

    public static CallError BadStaleTime(ulong staleMs, long maxTtlMs) =>
        new(StatusCode.InvalidArgument, $"the stale time must be 0 to {maxTtlMs} ms (the server's --max-ttl), but is {staleMs} ms");
}
