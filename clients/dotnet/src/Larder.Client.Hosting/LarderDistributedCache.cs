using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>
/// .NET's distributed cache over a Larder server. An entry without an expiry lives for the server's longest time to live (<c>--max-ttl</c>, 24 hours by
/// default), which is asked for once; an expiry past that is an <see cref="ArgumentException"/>. Sliding expiry is a TTL update with each read, never past
/// the absolute end; a life shorter than a millisecond has ended when the set returns. An absolute moment that is not in the future is an
/// <see cref="ArgumentOutOfRangeException"/> named AbsoluteExpiration, as in .NET's own cache over Redis. Failures are <see cref="CacheException"/>s, which the
/// layers above (HybridCache, FusionCache) take as a miss or a warning; with <see cref="LarderDistributedCacheOptions.FailOpen"/> a server that does not
/// answer is a miss, and throws nothing. A caller's cancellation is an <see cref="OperationCanceledException"/>.
/// The synchronous members wait for the asynchronous ones: prefer those.
/// </summary>
public sealed class LarderDistributedCache : IBufferDistributedCache
{
    private static readonly TimeSpan ShortestLife = TimeSpan.FromMilliseconds(1);
    private static readonly DistributedCacheEntryOptions NoExpiry = new();

    // HybridCache marks a tag that was removed by an entry of 1,000 days, which no server takes.
    private const string HybridTagPrefix = "__MSFT_HCT__";

    private readonly BoundCache _cache;
    private readonly string _prefix;
    private readonly TimeProvider _time;
    private readonly FailureTolerance _tolerance;

    // Of entries that nothing ends.
    private readonly LongestLife _longest;

    /// <summary>A distributed cache over one cache of <paramref name="client"/>.</summary>
    /// <param name="client">The client, which the caller keeps and closes.</param>
    /// <param name="options">Which cache, and what is put before keys.</param>
    /// <param name="timeProvider">The clock of absolute expiry; null: the system's.</param>
    /// <param name="logger">Told once in a while of what <see cref="LarderDistributedCacheOptions.FailOpen"/> has borne; null: nobody is.</param>
    /// <exception cref="ArgumentException">The cache's name is none.</exception>
    public LarderDistributedCache(
        CacheClient client,
        LarderDistributedCacheOptions options,
        TimeProvider? timeProvider = null,
        ILogger<LarderDistributedCache>? logger = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(options);
        _cache = client.Cache(options.CacheName);
        _longest = new LongestLife(client, options.CacheName);
        _prefix = options.KeyPrefix;
        _time = timeProvider ?? TimeProvider.System;
        _tolerance = new FailureTolerance(options.FailOpen, logger, _time);
    }

    /// <summary>Calls that failed and were taken as a miss or dropped; 0 without <see cref="LarderDistributedCacheOptions.FailOpen"/>.</summary>
    public long FailedOpen => _tolerance.Borne;

    /// <inheritdoc/>
    public byte[]? Get(string key) => GetAsync(key).GetAwaiter().GetResult();

    /// <inheritdoc/>
    public async Task<byte[]?> GetAsync(string key, CancellationToken token = default)
    {
        ReadOnlyMemory<byte>? payload = await ReadAsync(key, token).ConfigureAwait(false);
        return payload?.ToArray();
    }

    /// <inheritdoc/>
    public bool TryGet(string key, IBufferWriter<byte> destination) => TryGetAsync(key, destination).AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public async ValueTask<bool> TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        ReadOnlyMemory<byte>? payload = await ReadAsync(key, token).ConfigureAwait(false);
        if (payload is { } found)
        {
            destination.Write(found.Span);
        }

        return payload is not null;
    }

    /// <inheritdoc/>
    public void Set(string key, byte[] value, DistributedCacheEntryOptions? options) => SetAsync(key, value, options).GetAwaiter().GetResult();

    /// <inheritdoc/>
    public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions? options, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        return SetAsync(key, new ReadOnlySequence<byte>(value), options, token).AsTask();
    }

    /// <inheritdoc/>
    public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions? options) =>
        SetAsync(key, value, options).AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public async ValueTask SetAsync(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions? options, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        DateTimeOffset now = _time.GetUtcNow();
        EntryEnvelope envelope = EnvelopeOf(options is null || IsHybridTag(key, options) ? NoExpiry : options, now);
        CacheBytes stored = KeyOf(key);
        if ((Arguments.CheckKey(stored) ?? Arguments.CheckSize(envelope.HeaderBytes + value.Length)) is { } wrong)
        {
            throw Failed(wrong, token);
        }

        (TimeSpan ttl, CacheError? unknown) = envelope.IsForEver
            ? await _longest.AskAsync(token).ConfigureAwait(false)
            : (envelope.TtlAt(now) ?? TimeSpan.Zero, null);
        if (unknown is not null)
        {
            ThrowUnlessBorne(unknown, token);
            return;
        }

        if (ttl < ShortestLife)
        {
            // The server counts in milliseconds: an entry of less is gone before it was there.
            await RemoveAsync(key, token).ConfigureAwait(false);
            return;
        }

        int length = envelope.HeaderBytes + (int)value.Length;
        byte[] rented = ArrayPool<byte>.Shared.Rent(length);
        envelope.Write(rented);
        value.CopyTo(rented.AsSpan(envelope.HeaderBytes));
        SetResponse answer = await _cache.SetAsync(stored, rented.AsMemory(0, length), ttl, token).ConfigureAwait(false);
        if (answer is SetResponse.Error error)
        {
            if (envelope.IsForEver)
            {
                _longest.Forget();
            }

            // The rented array is left to the collector: an attempt given up may still be reading it.
            ThrowUnlessBorne(error.Failure, token);
            return;
        }

        ArrayPool<byte>.Shared.Return(rented);
    }

    /// <inheritdoc/>
    public void Refresh(string key) => RefreshAsync(key).GetAwaiter().GetResult();

    /// <inheritdoc/>
    public async Task RefreshAsync(string key, CancellationToken token = default) => await ReadAsync(key, token).ConfigureAwait(false);

    /// <inheritdoc/>
    public void Remove(string key) => RemoveAsync(key).GetAwaiter().GetResult();

    /// <inheritdoc/>
    public async Task RemoveAsync(string key, CancellationToken token = default)
    {
        if (await _cache.DeleteAsync(KeyOf(key), token).ConfigureAwait(false) is DeleteResponse.Error error)
        {
            ThrowUnlessBorne(error.Failure, token);
        }
    }

    // Reads an entry, and extends it where it slides.
    private async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(string key, CancellationToken token)
    {
        CacheBytes stored = KeyOf(key);
        GetResponse answer = await _cache.GetAsync(stored, token).ConfigureAwait(false);
        if (answer is GetResponse.Error error)
        {
            ThrowUnlessBorne(error.Failure, token);
            return null;
        }

        if (answer is not GetResponse.Hit hit || !EntryEnvelope.TryRead(hit.Value.Span, out EntryEnvelope envelope))
        {
            return null;
        }

        if (envelope.Sliding is not null)
        {
            TimeSpan? ttl = envelope.TtlAt(_time.GetUtcNow());
            if (ttl is null)
            {
                return null;
            }

            if (await _cache.UpdateTtlAsync(stored, ttl.Value, token).ConfigureAwait(false) is UpdateTtlResponse.Error failed)
            {
                // Borne, the value is answered, and ends earlier than it would.
                ThrowUnlessBorne(failed.Failure, token);
            }
        }

        return hit.Value[envelope.HeaderBytes..];
    }

    // The server's longest is enough for it: no entry that was there when the tag was removed outlives that.
    private static bool IsHybridTag(string key, DistributedCacheEntryOptions options) =>
        options.AbsoluteExpirationRelativeToNow > Arguments.MaxTtl && key.StartsWith(HybridTagPrefix, StringComparison.Ordinal);

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

    private void ThrowUnlessBorne(CacheError error, CancellationToken token)
    {
        if (!_tolerance.Bears(error))
        {
            throw Failed(error, token);
        }
    }

    internal static Exception Failed(CacheError error, CancellationToken token) =>
        error.Code == CacheErrorCode.Cancelled && token.IsCancellationRequested ? new OperationCanceledException(error.Reason, token)
        : error.Code == CacheErrorCode.InvalidArgument ? new ArgumentException(error.Reason)
        : new CacheException(error);
}
