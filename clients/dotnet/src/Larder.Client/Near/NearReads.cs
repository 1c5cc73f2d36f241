using System.Text;
using Larder.Wire.Threads;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Near;

/// <summary>
/// A client's near cache as its calls and streams see it: the state with a clock, which keys it is for, and which stream is the near stream (NEAR-20).
/// <para>
/// Design. One stream at a time is asked, the first that is open; it is the near stream once it is answered a lease. When it is lost or says no, the next one
/// that is open is asked. Whoever holds a stream's lock may take this one's or the state's, never the other way round.
/// </para>
/// </summary>
internal sealed class NearReads : IDisposable
{
    // NEAR-21: it asks again each second, or each third of the lease; but no server makes it ask in a loop.
    private static readonly TimeSpan s_longestGap = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_shortestGap = TimeSpan.FromMilliseconds(10);

    // Longer text keys are encoded on the heap.
    private const int ScratchBytes = 256;

    private readonly Lock _lock = new();
    private readonly List<INearStream> _others = [];
    private readonly NearClock _clock;
    private readonly NearState _state;
    private readonly HashSet<string>? _caches;
    private readonly byte[][]? _prefixes;
    private readonly ITimer _renewing;
    private readonly ILogger _logger;
    private INearStream? _asked;
    private INearStream? _near;
    private long _numbers;
    private bool _isSaid;

    public NearReads(NearCache setting, TimeProvider provider, ILogger logger)
    {
        _clock = NearClock.Of(provider);
        _state = new NearState(setting.MaxBytes, setting.MaxAge);
        _caches = setting.Caches is { } caches ? [.. caches] : null;
        _prefixes = setting.KeyPrefixes is { } prefixes ? [.. prefixes.Select(static prefix => prefix.ToArray())] : null;
        _logger = logger;
        _renewing = DedicatedTime.For(provider).CreateTimer(
            static near => Volatile.Read(ref ((NearReads)near!)._near)?.AskRenew(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The near stream; null: there is none.</summary>
    public INearStream? Stream => Volatile.Read(ref _near);

    public NearCacheStatistics Statistics => _state.Statistics;

    public NearState State => _state;

    /// <summary>A number for a stream that is about to be open.</summary>
    public long NextNumber() => Interlocked.Increment(ref _numbers);

    /// <summary>The copy of a key that may be served now; null: there is none.</summary>
    public NearCopy? Find(string cache, in CacheBytes key) => Find(cache, key.AsSpan(stackalloc byte[ScratchBytes]));

    public NearCopy? Find(string cache, ReadOnlySpan<byte> key) => _state.Find(new NearKey(cache, key), _clock.Now);

    /// <summary>True where the setting names the key (NEAR-29).</summary>
    public bool Covers(string cache, in CacheBytes key) =>
        (_caches is null || _caches.Contains(cache)) && (_prefixes is null || IsPrefixed(key.AsSpan(stackalloc byte[ScratchBytes])));

    /// <summary>A get is about to be written into a stream. Null where its answer will not be kept: it is a get like any other.</summary>
    public NearGet? Begin(string cache, in CacheBytes key, INearStream stream) => ReferenceEquals(stream, Stream) && Covers(cache, key)
        ? _state.Begin(new NearKey(cache, key.AsSpan(stackalloc byte[ScratchBytes])), stream.Number, _clock.Now)
        : null;

    /// <summary>A near get was answered; its caller has not seen it yet.</summary>
    public void Answered(NearGet get, GetResponse.Hit? value, NearTerms terms) =>
        _state.Answered(get, value, terms.Ticket, TimeSpan.FromMilliseconds(terms.TtlLeftMs), _clock.Now);

    /// <summary>A near get ended without an answer.</summary>
    public void Failed(NearGet get) => _state.Failed(get);

    /// <summary>Any other call that names the key has ended; its caller has not seen it yet.</summary>
    public void Ended(string cache, in CacheBytes key)
    {
        if (Covers(cache, key))
        {
            _state.Ended(new NearKey(cache, key.AsSpan(stackalloc byte[ScratchBytes])));
        }
    }

    /// <summary>A flush or deletion of a cache has ended; its caller has not seen it yet.</summary>
    public void Flushed(in CacheBytes cache) => _state.Flushed(Encoding.UTF8.GetString(cache.ToArray()));

    /// <summary>Tickets came on a stream.</summary>
    public void Invalidated(INearStream stream, ReadOnlySpan<uint> tickets) => _state.Invalidated(stream.Number, tickets);

    /// <summary>A clear came on a stream.</summary>
    public void Cleared(INearStream stream) => _state.Cleared(stream.Number);

    /// <summary>A stream is about to be open: it is asked, where no other is.</summary>
    public void Offer(INearStream stream)
    {
        lock (_lock)
        {
            if (_asked is not null)
            {
                _others.Add(stream);
                return;
            }

            _asked = stream;
        }

        stream.AskOpen();
    }

    /// <summary>A stream's <c>near_open</c> that was sent then was answered.</summary>
    public void Opened(INearStream stream, TimeSpan sentAt, ulong leaseMs)
    {
        if (leaseMs == 0)
        {
            Refused(stream, "its lease is 0 ms");
            return;
        }

        TimeSpan lease = TimeSpan.FromMilliseconds(Math.Min(leaseMs, uint.MaxValue));
        lock (_lock)
        {
            if (_asked == stream)
            {
                _state.Opened(stream.Number, sentAt, lease);
                Volatile.Write(ref _near, stream);
                _isSaid = false;
                TimeSpan gap = TimeSpan.FromTicks(Math.Clamp(lease.Ticks / 3, s_shortestGap.Ticks, s_longestGap.Ticks));
                _renewing.Change(gap, gap);
            }
        }
    }

    /// <summary>Its <c>near_renew</c> that was sent then was answered.</summary>
    public void Renewed(INearStream stream, TimeSpan sentAt) => _state.Renewed(stream.Number, sentAt);

    /// <summary>A stream that was asked answered something else: it goes on without.</summary>
    public void Refused(INearStream stream, string reason)
    {
        Lost(stream);
        Unavailable(reason);
    }

    /// <summary>There is no near cache for now: said once, until there was one again.</summary>
    public void Unavailable(string reason)
    {
        lock (_lock)
        {
            if (_isSaid || Stream is not null)
            {
                return;
            }

            _isSaid = true;
        }

        Log.NearUnavailable(_logger, reason);
    }

    /// <summary>A stream is lost, replaced, draining or at its end.</summary>
    public void Lost(INearStream stream)
    {
        INearStream? next;
        lock (_lock)
        {
            _state.Lost(stream.Number);
            _others.Remove(stream);
            if (_asked != stream)
            {
                return;
            }

            Volatile.Write(ref _near, null);
            _renewing.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            next = _others.Count > 0 ? _others[0] : null;
            _asked = next;
            _others.Remove(next!);
        }

        next?.AskOpen();
    }

    /// <summary>The clock's time, for what is about to be sent.</summary>
    public TimeSpan Now => _clock.Now;

    public void Dispose() => _renewing.Dispose();

    private bool IsPrefixed(ReadOnlySpan<byte> key)
    {
        foreach (byte[] prefix in _prefixes!)
        {
            if (key.StartsWith(prefix))
            {
                return true;
            }
        }

        return false;
    }
}
