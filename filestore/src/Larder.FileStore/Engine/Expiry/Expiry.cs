using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore.Engine;

/// <summary>
/// When an entry expires: the absolute expiration in Unix ms UTC (0 for none), and the sliding expiration in ms (0 for none). An entry with both expires at the
/// earlier of the two times.
/// </summary>
internal readonly record struct Expiry(long AtMs, long SlidingMs, long NowMs)
{
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    /// <summary>
    /// Converts the expiration options. A relative expiration takes precedence over an absolute one, as in Microsoft's caches. An absolute time that is not in
    /// the future throws <see cref="ArgumentOutOfRangeException"/>, as .NET's Redis cache does. Fractions of a millisecond are rounded up, but an entry with a
    /// lifetime shorter than 1 ms expires immediately.
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

    /// <summary>Converts the sum of two times to milliseconds. A sum above <see cref="TimeSpan.MaxValue"/> counts as that value.</summary>
    private static long Milliseconds(TimeSpan since, TimeSpan life) =>
        life < TimeSpan.MaxValue - since ? Milliseconds(since + life) : Milliseconds(TimeSpan.MaxValue);
}
