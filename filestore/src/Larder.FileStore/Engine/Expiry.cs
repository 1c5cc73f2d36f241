using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore.Engine;

/// <summary>When an entry ends: absolute, Unix ms UTC (0 none), and sliding, ms (0 none). An entry with both ends at whichever comes first.</summary>
internal readonly record struct Expiry(long AtMs, long SlidingMs, long NowMs)
{
    /// <summary>
    /// Relative wins over absolute, as in Microsoft's caches. An absolute moment that is not in the future throws
    /// <see cref="ArgumentOutOfRangeException"/>. Fractions of a millisecond are rounded up.
    /// </summary>
    internal static Expiry From(DistributedCacheEntryOptions? options, CacheClock clock)
    {
        if (options is null || (options.AbsoluteExpirationRelativeToNow is null && options.AbsoluteExpiration is null && options.SlidingExpiration is null))
        {
            return default;
        }
        DateTimeOffset now = clock.Time.GetUtcNow();
        long nowMs = now.ToUnixTimeMilliseconds();
        long at = 0;
        if (options.AbsoluteExpirationRelativeToNow is { } relative)
        {
            at = nowMs + Milliseconds(relative);
        }
        else if (options.AbsoluteExpiration is { } absolute)
        {
            if (absolute <= now)
            {
                throw new ArgumentOutOfRangeException(nameof(options), absolute, "The absolute expiration must be in the future.");
            }
            at = Math.Max(absolute.ToUnixTimeMilliseconds(), nowMs + 1);
        }
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
}
