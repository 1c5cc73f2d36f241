using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore.Engine;

/// <summary>When an entry ends: absolute, Unix ms UTC (0 none), and sliding, ms (0 none). An entry with both ends at whichever comes first.</summary>
internal readonly record struct Expiry(long AtMs, long SlidingMs, long NowMs)
{
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    /// <summary>
    /// Relative wins over absolute, as in Microsoft's caches. An absolute moment that is not in the future throws
    /// <see cref="ArgumentOutOfRangeException"/>, as over Redis. Fractions of a millisecond are rounded up, but a life shorter than one has ended at once.
    /// </summary>
    [SuppressMessage("Usage", "CA2208", Justification = "The name that .NET's own cache over Redis gives.")]
    internal static Expiry From(DistributedCacheEntryOptions? options, CacheClock clock)
    {
        if (options is null || (options.AbsoluteExpirationRelativeToNow is null && options.AbsoluteExpiration is null && options.SlidingExpiration is null))
        {
            return default;
        }
        DateTimeOffset now = clock.Time.GetUtcNow();
        long nowMs = now.ToUnixTimeMilliseconds();
        if (options.AbsoluteExpiration is { } absolute && absolute <= now)
        {
            throw new ArgumentOutOfRangeException(
                nameof(DistributedCacheEntryOptions.AbsoluteExpiration), absolute, "The absolute expiration value must be in the future.");
        }
        TimeSpan? life = options.AbsoluteExpirationRelativeToNow ?? options.AbsoluteExpiration - now;
        if (life < Shortest || options.SlidingExpiration < Shortest)
        {
            return new Expiry(nowMs, 0, nowMs);
        }
        long at = life is { } whole ? Milliseconds(now - DateTimeOffset.UnixEpoch, whole) : 0;
        return new Expiry(at, options.SlidingExpiration is { } sliding ? Milliseconds(sliding) : 0, nowMs);
    }

    internal Operation ToSet(string key, object value) => new()
    {
        Kind = OperationKind.Set,
        Key = key,
        Value = value,
        ExpiresMs = SlidingMs == 0 ? AtMs : AtMs == 0 ? NowMs + SlidingMs : Math.Min(AtMs, NowMs + SlidingMs),
        SlidingMs = SlidingMs,
        CapMs = SlidingMs == 0 ? 0 : AtMs,
    };

    private static long Milliseconds(TimeSpan span) => span.Ticks / TimeSpan.TicksPerMillisecond + (span.Ticks % TimeSpan.TicksPerMillisecond == 0 ? 0 : 1);

    /// <summary>Of a sum that may be past the longest span.</summary>
    private static long Milliseconds(TimeSpan since, TimeSpan life) =>
        life < TimeSpan.MaxValue - since ? Milliseconds(since + life) : Milliseconds(TimeSpan.MaxValue);
}
