namespace Larder.Client.Leases;

/// <summary>Computes the times to live with which a get-or-create stores values, and decides how an expired value is used (GOC-4, 5, 7, 12 and 14).</summary>
internal sealed class ExpiryPolicy(GetOrCreateOptions options, ulong ttlMs)
{
    private readonly ulong _aheadMs = Milliseconds(options.RefreshAheadFor);

    /// <summary>Returns an error if the time to live is too short for <see cref="GetOrCreateOptions.RefreshAheadFor"/>.</summary>
    public CacheError? Check() => _aheadMs > ttlMs / 2
        ? new CacheError(CacheErrorCode.InvalidArgument, $"{nameof(GetOrCreateOptions.RefreshAheadFor)} must be at most half the time to live.")
        : null;

    /// <summary>
    /// Returns the time to live of a created value in milliseconds: the one that the factory has set in its context, or else the one that
    /// <see cref="GetOrCreateOptions.TtlOf"/> returns, or else the one of the call (GOC-14, GOC-18).
    /// </summary>
    /// <exception cref="ArgumentException">The time to live from the context or from <see cref="GetOrCreateOptions.TtlOf"/> is invalid.</exception>
    public ulong TtlOf(in CreatedItem item)
    {
        if ((item.Ttl ?? options.TtlOf?.Invoke(item.Value)) is not { } ttl)
        {
            return ttlMs;
        }

        string source = item.Ttl is null ? nameof(options.TtlOf) : "The time to live in the factory's context";
        return Arguments.CheckTtl(ttl, out ulong ownMs) is { } error ? throw new ArgumentException($"{source}: {error.Reason}") : ownMs;
    }

    /// <summary>Returns the time to live and the stale time with which a value is stored, in milliseconds.</summary>
    /// <param name="ofMs">The time to live before the jitter and the refresh-ahead time are subtracted, in milliseconds.</param>
    /// <param name="draw">A random number from 0 to 1: the part of the maximum jitter that is subtracted.</param>
    public (ulong TtlMs, ulong StaleMs) Stored(ulong ofMs, double draw)
    {
        ulong ahead = Math.Min(_aheadMs, ofMs / 2);
        return (Jittered(ofMs - ahead, draw), ahead + Milliseconds(options.LongestStale));
    }

    /// <summary>Subtracts a random jitter from a time to live in milliseconds. Used for servers that do not keep stale values.</summary>
    public ulong Jittered(ulong ofMs, double draw) => Math.Max(1, (ulong)(ofMs * (1 - (options.Jitter * draw))));

    /// <summary>Returns how to use a value whose stored time to live has expired.</summary>
    /// <param name="expired">How long ago the value expired.</param>
    /// <param name="isLeased">Whether the response also granted the lease.</param>
    public StaleUse Read(TimeSpan expired, bool isLeased)
    {
        TimeSpan past = PastOf(expired);
        return past < TimeSpan.Zero ? StaleUse.Hit
            : past < options.RevalidateFor ? StaleUse.Stale
            : past < options.FailSafeFor ? (isLeased ? StaleUse.LoadOrStale : StaleUse.WaitOrStale)
            : isLeased ? StaleUse.Load : StaleUse.Wait;
    }

    /// <summary>
    /// Returns how long ago the actual time to live ended. The actual time to live is the stored time to live plus the refresh-ahead time. The result is
    /// negative if it has not ended.
    /// </summary>
    public TimeSpan PastOf(TimeSpan expired) => expired - TimeSpan.FromMilliseconds(_aheadMs);

    private static ulong Milliseconds(TimeSpan time) => (ulong)time.TotalMilliseconds;
}
