namespace Larder.Client.Leases;

/// <summary>Computes the times to live that a getOrCreate stores, and decides how an expired value is used (GOC-4, 5, 7, 12 and 14).</summary>
internal sealed class ExpiryPolicy(GetOrCreateOptions options, ulong ttlMs)
{
    private readonly ulong _aheadMs = Milliseconds(options.RefreshAheadFor);

    /// <summary>Returns an error if the time to live is too short for <see cref="GetOrCreateOptions.RefreshAheadFor"/>.</summary>
    public CacheError? Check() => _aheadMs > ttlMs / 2
        ? new CacheError(CacheErrorCode.InvalidArgument, $"{nameof(GetOrCreateOptions.RefreshAheadFor)} must be at most half the time to live.")
        : null;

    /// <summary>Returns the time to live of a created value in milliseconds, from <see cref="GetOrCreateOptions.TtlOf"/> or from the call.</summary>
    /// <exception cref="ArgumentException">The returned time is invalid.</exception>
    public ulong TtlOf(byte[] value)
    {
        if (options.TtlOf?.Invoke(value) is not { } ttl)
        {
            return ttlMs;
        }

        return Arguments.CheckTtl(ttl, out ulong ownMs) is { } error ? throw new ArgumentException($"{nameof(options.TtlOf)}: {error.Reason}") : ownMs;
    }

    /// <summary>Returns the time to live and the stale time to store.</summary>
    /// <param name="ofMs">The whole time to live.</param>
    /// <param name="draw">The random part of the jitter to subtract, 0 to 1.</param>
    public (ulong TtlMs, ulong StaleMs) Stored(ulong ofMs, double draw)
    {
        ulong ahead = Math.Min(_aheadMs, ofMs / 2);
        return (Jittered(ofMs - ahead, draw), ahead + Milliseconds(options.LongestStale));
    }

    /// <summary>Returns a time to live with jitter subtracted, for servers that do not keep stale values.</summary>
    public ulong Jittered(ulong ofMs, double draw) => Math.Max(1, (ulong)(ofMs * (1 - (options.Jitter * draw))));

    /// <summary>Returns how to use a value that has expired by its stored time to live.</summary>
    /// <param name="expired">How long ago the value expired.</param>
    /// <param name="isLeased">Whether the response also granted the lease.</param>
    public StaleUse Read(TimeSpan expired, bool isLeased)
    {
        TimeSpan past = PastOf(expired);
        return past < TimeSpan.Zero ? StaleUse.Hit
            : past < options.RevalidateFor ? StaleUse.Stale
            : !isLeased ? StaleUse.Wait
            : past < options.FailSafeFor ? StaleUse.LoadOrStale : StaleUse.Load;
    }

    /// <summary>Returns how long ago the whole time to live ended. Negative if it has not ended.</summary>
    public TimeSpan PastOf(TimeSpan expired) => expired - TimeSpan.FromMilliseconds(_aheadMs);

    private static ulong Milliseconds(TimeSpan time) => (ulong)time.TotalMilliseconds;
}
