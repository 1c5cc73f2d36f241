using System.Text;
using Larder.Client.Calls;
using Larder.Client.Operations;
using Larder.Wire.Threads;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Near;

/// <summary>
/// The interface of the near cache for the client's calls and streams. It passes the current time to the state, checks whether the configuration covers a key,
/// and chooses the near stream (NEAR-20).
/// <para>
/// Design: only one stream at a time requests to become the near stream, starting with the first open stream. The stream becomes the near stream when the
/// server grants a lease. If the stream is lost or the server refuses, the next open stream makes the request. Lock order: a thread that holds a stream's lock
/// may take the lock of this class or of the state, but a thread that holds one of those locks must not take a stream's lock.
/// </para>
/// </summary>
internal sealed class NearReads : IDisposable
{
    // NEAR-21: the lease is renewed every second, or every third of its duration if that is shorter. The minimum interval prevents a server with very short
    // leases from making the client renew in a tight loop.
    private static readonly TimeSpan s_longestGap = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_shortestGap = TimeSpan.FromMilliseconds(10);

    // The size of the stack buffer for encoding keys that are strings. Longer strings are encoded on the heap.
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
    private bool _isLogged;

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

    /// <summary>Gets the near stream, or null if there is none.</summary>
    public INearStream? Stream => Volatile.Read(ref _near);

    public NearCacheStatistics Statistics => _state.Statistics;

    public NearState State => _state;

    /// <summary>Returns a unique number for a stream that is about to open.</summary>
    public long NextNumber() => Interlocked.Increment(ref _numbers);

    /// <summary>Returns the valid copy for a key, or null if the key has no valid copy.</summary>
    public NearCopy? Find(string cache, in CacheBytes key) => Find(cache, key.AsSpan(stackalloc byte[ScratchBytes]));

    public NearCopy? Find(string cache, ReadOnlySpan<byte> key) => _state.Find(new NearKey(cache, key), _clock.Now);

    /// <summary>Returns whether the configuration covers the key (NEAR-29).</summary>
    public bool Covers(string cache, in CacheBytes key) =>
        (_caches is null || _caches.Contains(cache)) && (_prefixes is null || IsPrefixed(key.AsSpan(stackalloc byte[ScratchBytes])));

    /// <summary>Returns whether a call is a get of a key that the configuration covers.</summary>
    public bool Covers(Call call) => call is TypedCall<GetOperation, LookupResult<CacheValue>> get && Covers(call.Cache, get.Request.Asked);

    /// <summary>Registers a get that is about to be written to a stream. Returns null if the value cannot be cached. The get is then an ordinary get.</summary>
    public NearGet? Begin(string cache, in CacheBytes key, INearStream stream) => ReferenceEquals(stream, Stream) && Covers(cache, key)
        ? _state.Begin(new NearKey(cache, key.AsSpan(stackalloc byte[ScratchBytes])), stream.Number, _clock.Now)
        : null;

    /// <summary>Handles the response to a near get. Must be called before the caller gets the response.</summary>
    public void Answered(NearGet get, ItemHit? value, NearTerms terms) =>
        _state.Answered(get, value, terms.Ticket, TimeSpan.FromMilliseconds(terms.TtlLeftMs), _clock.Now);

    /// <summary>Handles a near get that ended without a response.</summary>
    public void Failed(NearGet get) => _state.Failed(get);

    /// <summary>
    /// Handles the end of a call that uses the key, except a near get that received a response. Must be called before the caller gets the response.
    /// </summary>
    public void Ended(string cache, in CacheBytes key)
    {
        if (Covers(cache, key))
        {
            _state.Ended(new NearKey(cache, key.AsSpan(stackalloc byte[ScratchBytes])));
        }
    }

    /// <summary>Handles the end of a flush or a deletion of a cache. Must be called before the caller gets the response.</summary>
    public void Flushed(in CacheBytes cache) => _state.Flushed(Encoding.UTF8.GetString(cache.ToArray()));

    /// <summary>Handles invalidations that arrived on a stream. Each ticket identifies the keys that have changed.</summary>
    public void Invalidated(INearStream stream, ReadOnlySpan<uint> tickets) => _state.Invalidated(stream.Number, tickets);

    /// <summary>Handles a message that reports that any value may have changed. The message arrived on the given stream.</summary>
    public void Cleared(INearStream stream) => _state.Cleared(stream.Number);

    /// <summary>
    /// Registers a stream that is about to open. If there is no near stream and no stream is requesting to become the near stream, this stream sends the
    /// request. Otherwise the stream becomes a candidate for a later request.
    /// </summary>
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

    /// <summary>Handles the response to a stream's <c>near_open</c> that was sent at <paramref name="sentAt"/>.</summary>
    public void Opened(INearStream stream, TimeSpan sentAt, ulong leaseMs)
    {
        if (leaseMs == 0)
        {
            Refused(stream, "the server granted a lease of 0 ms");
            return;
        }

        TimeSpan lease = TimeSpan.FromMilliseconds(Math.Min(leaseMs, uint.MaxValue));
        lock (_lock)
        {
            if (_asked == stream)
            {
                _state.Opened(stream.Number, sentAt, lease);
                Volatile.Write(ref _near, stream);
                _isLogged = false;
                TimeSpan gap = TimeSpan.FromTicks(Math.Clamp(lease.Ticks / 3, s_shortestGap.Ticks, s_longestGap.Ticks));
                _renewing.Change(gap, gap);
            }
        }
    }

    /// <summary>Handles the response to a <c>near_renew</c> that was sent at <paramref name="sentAt"/>.</summary>
    public void Renewed(INearStream stream, TimeSpan sentAt) => _state.Renewed(stream.Number, sentAt);

    /// <summary>Handles the server's refusal to make a stream the near stream. The stream continues to be used for calls.</summary>
    public void Refused(INearStream stream, string reason)
    {
        Lost(stream);
        Unavailable(reason);
    }

    /// <summary>Logs that the near cache is not available. It is logged once, and again only after the near cache has been available.</summary>
    public void Unavailable(string reason)
    {
        lock (_lock)
        {
            if (_isLogged || Stream is not null)
            {
                return;
            }

            _isLogged = true;
        }

        Log.NearUnavailable(_logger, reason);
    }

    /// <summary>Handles the loss of a stream: the stream has ended, is draining, or was replaced.</summary>
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

    /// <summary>Gets the current time, for a message that is about to be sent.</summary>
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
