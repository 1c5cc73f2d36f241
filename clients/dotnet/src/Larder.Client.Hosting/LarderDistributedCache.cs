using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Metrics;
using Larder.Client.Calls;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client;

/// <summary>
/// .NET's distributed cache over a Larder server.
/// <para>
/// An entry without an expiration lives for the server's maximum TTL (<c>--max-ttl</c>, 24 hours by default). A longer expiration is shortened to 15/16 of
/// that maximum, with a rate-limited warning in the log. Markers with which HybridCache and FusionCache remove tags get the whole maximum, so that they outlive
/// the entries that they invalidate. An entry with a TTL below one millisecond has expired when the set returns.
/// </para>
/// <para>
/// Each read of a sliding entry extends it, never past its absolute end, and only if its window and its end are still those that were read. Extending it does
/// not transfer the value, and <see cref="RefreshAsync"/> does not read it. If a read cannot extend the entry (a read-only token, a lost connection), it still
/// returns the value; the failure is counted (<see cref="RefreshesFailed"/>) and logged.
/// </para>
/// <para>
/// An absolute expiration that is not in the future throws an <see cref="ArgumentOutOfRangeException"/> named AbsoluteExpiration, as in .NET's own cache over
/// Redis. Failures throw a <see cref="CacheException"/>, which HybridCache and FusionCache treat as a miss or log as a warning. With
/// <see cref="LarderDistributedCacheOptions.FailOpen"/>, an unavailable server is a miss and throws nothing. A caller's cancellation throws an
/// <see cref="OperationCanceledException"/>. The synchronous members block their thread: prefer the asynchronous ones. They need no other thread of the
/// pool, so that they return in time even if the application blocks all of them.
/// </para>
/// </summary>
public sealed class LarderDistributedCache : IBufferDistributedCache
{
    // The minimum time between log lines about shortened TTLs. Their cause is a setting, so one line per hour is enough.
    private static readonly TimeSpan CappedInterval = TimeSpan.FromHours(1);

    private static readonly TimeSpan ShortestLife = TimeSpan.FromMilliseconds(1);
    private static readonly DistributedCacheEntryOptions NoExpiry = new();
    private static readonly Meter Figures = new(Telemetry.Name);

    private static readonly Counter<long> NotExtended =
        Figures.CreateCounter<long>("cache.client.refresh_failed", "{read}", "Reads of sliding entries whose expiry could not be extended.");

    // Keys of the entries that mark a removed tag: HybridCache's keys start with the first text (1,000 days), FusionCache's contain the second (10 days).
    private const string HybridTagPrefix = "__MSFT_HCT__";
    private const string FusionTag = "__fc:t:";

    private readonly Cache _cache;
    private readonly string _prefix;
    private readonly TimeProvider _time;
    private readonly FailureTolerance _tolerance;
    private readonly MaxTtlCache _longest;
    private readonly GuardedLogger _logger;
    private readonly LogRateLimiter _failures;
    private readonly LogRateLimiter _capped;
    private long _refreshesFailed;

    /// <summary>Creates a distributed cache over one cache of <paramref name="client"/>.</summary>
    /// <param name="client">The client. The caller keeps it and disposes it.</param>
    /// <param name="options">The cache's name and the prefix of its keys.</param>
    /// <param name="timeProvider">The clock of absolute expirations. The default is null: the system's.</param>
    /// <param name="logger">The logger of rate-limited warnings about tolerated failures and shortened TTLs. The default is null: no logging.</param>
    /// <exception cref="ArgumentException">The cache's name is invalid.</exception>
    public LarderDistributedCache(
        CacheClient client,
        LarderDistributedCacheOptions options,
        TimeProvider? timeProvider = null,
        ILogger<LarderDistributedCache>? logger = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(options);
        _cache = client.Cache(options.CacheName).WithValidName();
        _prefix = options.KeyPrefix;
        _time = timeProvider ?? TimeProvider.System;
        _longest = new MaxTtlCache(client, options.CacheName, _time);
        _logger = new GuardedLogger((ILogger?)logger ?? NullLogger.Instance);
        _failures = client.FailureLog;
        _capped = new LogRateLimiter(CappedInterval, _time);
        _tolerance = new FailureTolerance(options.FailOpen, logger, _failures);
    }

    /// <summary>
    /// Gets the number of failed calls that were treated as a miss or dropped. 0 without <see cref="LarderDistributedCacheOptions.FailOpen"/>.
    /// </summary>
    public long FailedOpen => _tolerance.Tolerated;

    /// <summary>
    /// Gets the number of reads that returned a sliding entry's value but could not extend it. Reads that <see cref="FailedOpen"/> counts are excluded.
    /// </summary>
    public long RefreshesFailed => Interlocked.Read(ref _refreshesFailed);

    /// <inheritdoc/>
    public byte[]? Get(string key) => BlockingScope.Wait((Cache: this, Key: key), static call => call.Cache.GetAsync(call.Key));

    /// <inheritdoc/>
    public async Task<byte[]?> GetAsync(string key, CancellationToken token = default)
    {
        ReadOnlyMemory<byte>? payload = await FindAsync(key, token).ConfigureAwait(false);
        return payload?.ToArray();
    }

    /// <inheritdoc/>
    public bool TryGet(string key, IBufferWriter<byte> destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return Write(BlockingScope.Wait((Cache: this, Key: key), static call => call.Cache.FindAsync(call.Key, default).AsTask()), destination);
    }

    /// <inheritdoc/>
    public async ValueTask<bool> TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return Write(await FindAsync(key, token).ConfigureAwait(false), destination);
    }

    /// <inheritdoc/>
    public void Set(string key, byte[] value, DistributedCacheEntryOptions? options) => BlockingScope.Wait(
        (Cache: this, Key: key, Value: value, Options: options), static call => call.Cache.SetAsync(call.Key, call.Value, call.Options));

    /// <inheritdoc/>
    public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions? options, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        return SetAsync(key, new ReadOnlySequence<byte>(value), options, token).AsTask();
    }

    /// <inheritdoc/>
    public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions? options) => BlockingScope.Wait(
        (Cache: this, Key: key, Value: value, Options: options), static call => call.Cache.SetAsync(call.Key, call.Value, call.Options).AsTask());

    /// <inheritdoc/>
    public async ValueTask SetAsync(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions? options, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        DateTimeOffset now = _time.GetUtcNow();
        EntryEnvelope envelope = EnvelopeOf(options ?? NoExpiry, now);
        CacheBytes stored = KeyOf(key);
        if ((Arguments.CheckKey(stored) ?? Arguments.CheckSize(envelope.HeaderBytes + value.Length)) is { } wrong)
        {
            throw Failed(wrong, token);
        }

        (TimeSpan ttl, CacheError? unknown) = envelope.HasNoExpiry
            ? await _longest.AskAsync(token).ConfigureAwait(false)
            : (envelope.TtlAt(now) ?? TimeSpan.Zero, null);
        if (unknown is not null)
        {
            ThrowUnlessTolerated(unknown, token);
            return;
        }

        if (ttl < ShortestLife)
        {
            // The server counts in milliseconds, so a shorter TTL ends before the entry can be read.
            await RemoveAsync(key, token).ConfigureAwait(false);
            return;
        }

        int length = envelope.HeaderBytes + (int)value.Length;
        byte[] rented = ArrayPool<byte>.Shared.Rent(length);
        envelope.Write(rented);
        value.CopyTo(rented.AsSpan(envelope.HeaderBytes));
        Storing how = IsTagMarker(key) ? Storing.Marker : Storing.Entry;
        CacheError? error = await StoreAsync(stored, rented.AsMemory(0, length), ttl, how, token).ConfigureAwait(false);
        if (error is not null)
        {
            if (envelope.HasNoExpiry)
            {
                _longest.Forget();
            }

            // The rented array is not returned to its pool, because an abandoned attempt may still read it.
            ThrowUnlessTolerated(error, token);
            return;
        }

        ArrayPool<byte>.Shared.Return(rented);
    }

    /// <inheritdoc/>
    public void Refresh(string key) => BlockingScope.Wait((Cache: this, Key: key), static call => call.Cache.RefreshAsync(call.Key));

    /// <inheritdoc/>
    public async Task RefreshAsync(string key, CancellationToken token = default)
    {
        CacheError? notExtended = await ExtendAsync(KeyOf(key), token).ConfigureAwait(false);
        if (notExtended is { Code: CacheErrorCode.Unknown or CacheErrorCode.PermissionDenied })
        {
            // An older server, or a read-only token. With these, the refresh of an entry that does not slide must not fail.
            (_, notExtended) = await ReadAsync(key, token).ConfigureAwait(false);
        }

        if (notExtended is not null)
        {
            ThrowUnlessTolerated(notExtended, token);
        }
    }

    /// <inheritdoc/>
    public void Remove(string key) => BlockingScope.Wait((Cache: this, Key: key), static call => call.Cache.RemoveAsync(call.Key));

    /// <inheritdoc/>
    public async Task RemoveAsync(string key, CancellationToken token = default)
    {
        if (await _cache.DeleteAsync(KeyOf(key), token).ConfigureAwait(false) is { Error: { } error })
        {
            ThrowUnlessTolerated(error, token);
        }
    }

    private static bool Write(ReadOnlyMemory<byte>? payload, IBufferWriter<byte> destination)
    {
        if (payload is { } found)
        {
            destination.Write(found.Span);
        }

        return payload is not null;
    }

    // The value is valid even if it could not be extended, because it was read.
    private async ValueTask<ReadOnlyMemory<byte>?> FindAsync(string key, CancellationToken token)
    {
        (ReadOnlyMemory<byte>? payload, CacheError? notExtended) = await ReadAsync(key, token).ConfigureAwait(false);
        if (notExtended is not null && !_tolerance.Tolerates(notExtended))
        {
            if (notExtended.Code == CacheErrorCode.Cancelled && token.IsCancellationRequested)
            {
                throw Failed(notExtended, token);
            }

            Interlocked.Increment(ref _refreshesFailed);
            UserCode.Run(static () => NotExtended.Add(1));
            if (_failures.TryPass(_logger, out long reads))
            {
                Log.NotExtended(_logger, notExtended.Code, notExtended.Reason, notExtended.Operation, reads);
            }
        }

        return payload;
    }

    // Extends a sliding entry without reading its value. An empty prefix matches no entry: the server then returns only the value's beginning (TTL-18).
    private async ValueTask<CacheError?> ExtendAsync(CacheBytes key, CancellationToken token)
    {
        LookupResult<PrefixTtlUpdate> answer = await _cache.UpdateTtlIfPrefixAsync(key, ReadOnlyMemory<byte>.Empty, ShortestLife, token).ConfigureAwait(false);
        if (answer is { Error: { } error })
        {
            return error;
        }

        return answer is { IsHit: true, Value.IsUpdated: false } entry && EntryEnvelope.TryRead(entry.Value.Prefix.Span, out EntryEnvelope envelope)
            && envelope.Sliding is not null && envelope.TtlAt(_time.GetUtcNow()) is { } ttl
            ? await StoreAsync(key, entry.Value.Prefix.Memory[..envelope.HeaderBytes], ttl, Storing.Extend, token).ConfigureAwait(false)
            : null;
    }

    // Reads an entry, and extends it if it slides and still has the same header, which contains its window and its end (TTL-17). An unconditional TTL update
    // would also extend an entry that another caller has set meanwhile, past that entry's absolute end.
    private async ValueTask<(ReadOnlyMemory<byte>? Payload, CacheError? NotExtended)> ReadAsync(string key, CancellationToken token)
    {
        CacheBytes stored = KeyOf(key);
        LookupResult<CacheValue> answer = await _cache.GetAsync(stored, token).ConfigureAwait(false);
        if (answer is { Error: { } error })
        {
            ThrowUnlessTolerated(error, token);
            return default;
        }

        if (!answer.TryGetValue(out CacheValue value) || !EntryEnvelope.TryRead(value.Span, out EntryEnvelope envelope))
        {
            return default;
        }

        CacheError? notExtended = null;
        if (envelope.Sliding is not null)
        {
            TimeSpan? ttl = envelope.TtlAt(_time.GetUtcNow());
            if (ttl is null)
            {
                return default;
            }

            notExtended = await StoreAsync(stored, value.Memory[..envelope.HeaderBytes], ttl.Value, Storing.Extend, token).ConfigureAwait(false);
            if (notExtended is { Code: CacheErrorCode.Unknown })
            {
                // An older server: the same value is stored again if the entry still contains it (COND-3).
                notExtended = await StoreAsync(stored, value.Memory, ttl.Value, Storing.Again, token).ConfigureAwait(false);
            }
        }

        return (value.Memory[envelope.HeaderBytes..], notExtended);
    }

    // Stores a value with a TTL, or gives an entry a new TTL. A TTL over the server's maximum is shortened (ADR-0110).
    private async ValueTask<CacheError?> StoreAsync(CacheBytes key, ReadOnlyMemory<byte> value, TimeSpan asked, Storing how, CancellationToken token)
    {
        bool isMarker = how == Storing.Marker;
        TimeSpan tried = TimeSpan.Zero;
        CacheError? refusal = null;
        while (true)
        {
            (TimeSpan ttl, CacheError? unknown) = await _longest.CapAsync(asked, isMarker, isRefused: refusal is not null, token).ConfigureAwait(false);
            if (unknown is not null)
            {
                return refusal ?? unknown;
            }

            if (refusal is not null && ttl >= tried)
            {
                return refusal;
            }

            CacheError? error = how switch
            {
                Storing.Extend =>
                    (await _cache.UpdateTtlIfPrefixAsync(key, value, ttl, token).ConfigureAwait(false)).Error,
                Storing.Again => (await _cache.SetIfEqualAsync(key, value, value, ttl, token).ConfigureAwait(false)).Error,
                _ => (await _cache.SetAsync(key, value, ttl, token).ConfigureAwait(false)).Error,
            };
            if (error is { Code: CacheErrorCode.InvalidArgument } && refusal is null)
            {
                // The TTL may be the reason: the server's maximum may be smaller than the known one.
                (refusal, tried) = (error, ttl);
                continue;
            }

            if (error is null && ttl < asked && how == Storing.Entry && _capped.TryPass(_logger, out long entries))
            {
                Log.TtlCapped(_logger, asked, ttl, entries);
            }

            return error;
        }
    }

    private static bool IsTagMarker(string key) =>
        key.StartsWith(HybridTagPrefix, StringComparison.Ordinal) || key.Contains(FusionTag, StringComparison.Ordinal);

    [SuppressMessage("Usage", "CA2208", Justification = "The name that .NET's own cache over Redis gives.")]
    private static EntryEnvelope EnvelopeOf(DistributedCacheEntryOptions options, DateTimeOffset now)
    {
        if (options.AbsoluteExpiration is { } absolute && absolute <= now)
        {
            throw new ArgumentOutOfRangeException(
                nameof(DistributedCacheEntryOptions.AbsoluteExpiration),
                absolute,
                "The absolute expiration value must be in the future.");
        }

        DateTimeOffset? end = options.AbsoluteExpirationRelativeToNow is not { } fromNow ? options.AbsoluteExpiration
            : fromNow < DateTimeOffset.MaxValue - now ? now + fromNow
            : DateTimeOffset.MaxValue;
        return new EntryEnvelope(options.SlidingExpiration, end);
    }

    private CacheBytes KeyOf(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        return _prefix.Length == 0 ? key : _prefix + key;
    }

    private void ThrowUnlessTolerated(CacheError error, CancellationToken token)
    {
        if (!_tolerance.Tolerates(error))
        {
            throw Failed(error, token);
        }
    }

    private enum Storing
    {
        /// <summary>A value from a caller.</summary>
        Entry,

        /// <summary>A value that marks a removed tag.</summary>
        Marker,

        /// <summary>No value is stored: an entry that starts with the given header gets a new TTL.</summary>
        Extend,

        /// <summary>The given value, stored if the entry still contains it.</summary>
        Again,
    }

    internal static Exception Failed(CacheError error, CancellationToken token) =>
        error.Code == CacheErrorCode.Cancelled && token.IsCancellationRequested ? new OperationCanceledException(error.Reason, token)
        : error.Code == CacheErrorCode.InvalidArgument ? new ArgumentException(error.Reason)
        : new CacheException(error);
}
