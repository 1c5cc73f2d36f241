namespace Larder.Client.Leases;

/// <summary>How long a getOrCreate keeps what is made, and what it makes of a value that has expired (GOC-4, 5, 7, 12 and 14).</summary>
internal sealed class ExpiryPolicy(GetOrCreateOptions options, ulong ttlMs)
{
    private readonly ulong _aheadMs = Milliseconds(options.RefreshAheadFor);

    /// <summary>An error where the time to live is too short for what is to be made anew before its end.</summary>
    public CacheError? Check() => _aheadMs > ttlMs / 2
        ? new CacheError(CacheErrorCode.InvalidArgument, $"{nameof(GetOrCreateOptions.RefreshAheadFor)} is at most half the time to live.")
        : null;

    /// <summary>The time to live of what was made, in milliseconds; <see cref="GetOrCreateOptions.TtlOf"/> says it, or the call.</summary>
    /// <exception cref="ArgumentException">What was said is none.</exception>
    public ulong TtlOf(byte[] value)
    {
        if (options.TtlOf?.Invoke(value) is not { } ttl)
        {
            return ttlMs;
        }

        return Arguments.CheckTtl(ttl, out ulong ownMs) is { } error ? throw new ArgumentException($"{nameof(options.TtlOf)}: {error.Reason}") : ownMs;
    }

    /// <summary>The time to live and the stale time that are stored.</summary>
    /// <param name="ofMs">The whole time to live.</param>
    /// <param name="draw">0 to 1: how much of the jitter is taken off.</param>
    public (ulong TtlMs, ulong StaleMs) Stored(ulong ofMs, double draw)
    {
        ulong ahead = Math.Min(_aheadMs, ofMs / 2);
        return (Jittered(ofMs - ahead, draw), ahead + Milliseconds(options.LongestStale));
    }

    /// <summary>A time to live without the part that is taken off at random: where the server keeps nothing that is stale.</summary>
    public ulong Jittered(ulong ofMs, double draw) => Math.Max(1, (ulong)(ofMs * (1 - (options.Jitter * draw))));

    /// <summary>What becomes of a value that expired so long ago, by the time to live that was stored.</summary>
    /// <param name="expired">How long ago.</param>
    /// <param name="isLeased">Whether its lease came with it.</param>
    public StaleUse Read(TimeSpan expired, bool isLeased)
    {
        TimeSpan past = PastOf(expired);
        return past < TimeSpan.Zero ? StaleUse.Hit
            : past < options.RevalidateFor ? StaleUse.Stale
            : !isLeased ? StaleUse.Wait
            : past < options.FailSafeFor ? StaleUse.LoadOrStale : StaleUse.Load;
    }

    /// <summary>How long ago its whole time to live was over; less than 0: it is not.</summary>
    public TimeSpan PastOf(TimeSpan expired) => expired - TimeSpan.FromMilliseconds(_aheadMs);

    private static ulong Milliseconds(TimeSpan time) => (ulong)time.TotalMilliseconds;
}
