using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Metrics;
using Larder.Client.Calls;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client;

/// <summary>
/// Implements .NET's distributed cache (<c>IDistributedCache</c>) on a Larder server.
/// <para>
/// An entry without an expiration lives for the server's maximum TTL (<c>--max-ttl</c>, 24 hours by default). An expiration beyond this maximum is shortened
/// to 15/16 of the maximum, with a rate-limited warning in the log. HybridCache and FusionCache remove a tag by storing a marker entry. A marker gets the full
/// maximum, so that it outlives the entries that it invalidates. Setting an entry with a TTL below one millisecond removes the entry instead.
/// </para>
/// <para>
/// Each read of a sliding entry extends the entry's life, but never past its absolute end. The entry is not extended if another caller has changed its window
/// or its absolute end after the read. Extending an entry does not transfer its value, and <see cref="RefreshAsync"/> does not read the value. If a read cannot
/// extend the entry, for example because the token is read-only or the connection is lost, the read still returns the value. The failure is counted
/// (<see cref="RefreshesFailed"/>) and logged.
/// </para>
/// <para>
/// An absolute expiration that is not in the future throws an <see cref="ArgumentOutOfRangeException"/> with the parameter name AbsoluteExpiration, as .NET's
/// own cache on Redis does. Other invalid arguments throw an <see cref="ArgumentException"/>. Failures throw a <see cref="CacheException"/>, which HybridCache
/// and FusionCache treat as a miss or log as a warning. With <see cref="LarderDistributedCacheOptions.FailOpen"/>, an unavailable server is treated as a miss
/// and throws nothing. A caller's cancellation throws an <see cref="OperationCanceledException"/>. The synchronous members block their thread, so prefer the
/// asynchronous members. The synchronous members need no other thread of the thread pool, so they also return in time if the application blocks all threads of
/// the pool.
/// </para>
/// </summary>
public sealed class LarderDistributedCache : IBufferDistributedCache
{
    // The minimum time between log lines about shortened TTLs. A shortened TTL is caused by a setting that rarely changes, so one line per hour is enough.
    private static readonly TimeSpan CappedInterval = TimeSpan.FromHours(1);

    private static readonly TimeSpan ShortestLife = TimeSpan.FromMilliseconds(1);
    private static readonly DistributedCacheEntryOptions NoExpiry = new();
    private static readonly Meter Figures = new(Telemetry.Name);

    private static readonly Counter<long> NotExtended =
        Figures.CreateCounter<long>("cache.client.refresh_failed", "{read}", "Reads of sliding entries whose expiry could not be extended.");

    // Identify the keys of entries that mark a removed tag. HybridCache's keys start with the first text, and its markers live for 1,000 days. FusionCache's
    // keys contain the second text, and its markers live for 10 days.
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

    /// <summary>Creates a distributed cache that uses one cache of <paramref name="client"/>.</summary>
    /// <param name="client">The client. It is not disposed with this object; the caller must dispose it.</param>
    /// <param name="options">The cache's name and the prefix of its keys.</param>
    /// <param name="timeProvider">The clock for absolute expirations. The default is null: the system clock.</param>
    /// <param name="logger">
    /// The logger for warnings about tolerated failures and shortened TTLs. The warnings are rate-limited. The default is null: no logging.
    /// </param>
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
    /// Gets the number of failed calls that were treated as a miss or ignored. It is always 0 if <see cref="LarderDistributedCacheOptions.FailOpen"/> is false.
    /// </summary>
    public long FailedOpen => _tolerance.Tolerated;

    /// <summary>
    /// Gets the number of reads that returned a sliding entry's value but could not extend the entry. Excludes the reads that <see cref="FailedOpen"/> counts.
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
            // The server's TTLs are whole milliseconds. An entry with a shorter TTL would expire before it can be read, so it is removed instead.
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

            // The rented array is not returned to the array pool, because an abandoned attempt of the call may still read it.
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
        if (notExtended is { IsUnsupported: true } or { Code: CacheErrorCode.PermissionDenied })
        {
            // The server is too old for the operation, or the token is read-only. Refreshing an entry that does not slide must succeed even then, so the entry
            // is read to find out whether it slides.
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

    // Returns the value that was read, even if its entry could not be extended.
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

    // Extends a sliding entry without reading its whole value. The first call passes an empty prefix, which matches no entry. The server therefore changes
    // nothing and returns only the beginning of the value, which contains the header (TTL-18).
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

    // Reads an entry. If the entry slides, extends it on the condition that the stored header (sliding window and absolute end) has not changed since the read
    // (TTL-17). Without this condition, the update could give a TTL to an entry that another caller has stored after the read. That entry could then live
    // longer than its absolute end allows.
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
            if (notExtended is { IsUnsupported: true })
            {
                // The server is too old for the operation. Store the same value again, on the condition that the entry still contains it (COND-3).
                notExtended = await StoreAsync(stored, value.Memory, ttl.Value, Storing.Again, token).ConfigureAwait(false);
            }
        }

        return (value.Memory[envelope.HeaderBytes..], notExtended);
    }

    // Stores a value with a TTL, or gives an entry a new TTL. Shortens a TTL that exceeds the server's maximum (ADR-0110).
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
                // The TTL may be the reason for the rejection: the server's maximum may now be smaller than the known maximum. Try again with the current
                // maximum.
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
        /// <summary>Stores a caller's value.</summary>
        Entry,

        /// <summary>Stores a value that marks a removed tag.</summary>
        Marker,

        /// <summary>Stores no value. Gives the entry a new TTL if its value starts with the given header.</summary>
        Extend,

        /// <summary>Gives the entry a new TTL by storing its value again, on the condition that the value has not changed.</summary>
        Again,
    }

    internal static Exception Failed(CacheError error, CancellationToken token) =>
        error.Code == CacheErrorCode.Cancelled && token.IsCancellationRequested ? new OperationCanceledException(error.Reason, token)
        : error.Code == CacheErrorCode.InvalidArgument ? new ArgumentException(error.Reason)
        : new CacheException(error);
}
