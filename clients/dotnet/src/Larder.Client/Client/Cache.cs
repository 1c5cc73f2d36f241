using Larder.Client.Calls;
using Larder.Client.Codecs;
using Larder.Client.Near;
using Larder.Client.Operations;

namespace Larder.Client;

/// <summary>
/// A handle for reading and writing the data of one cache. Example: <c>client.Cache("orders")</c>. The handle is lightweight and thread-safe: create one
/// handle for each cache and share it. Every call has one timeout (<see cref="Configuration.RequestTimeout"/>, or the timeout passed to
/// <see cref="WithTimeout"/>) that covers waiting, sending and retrying. A call returns one of a fixed set of outcomes, for example <c>Hit</c>, <c>Miss</c> or
/// <c>Error</c>. Apart from the get-or-create methods, a call throws only on misuse, such as a call on a closed client. If the cache's name is invalid, each
/// call fails with <see cref="CacheErrorCode.InvalidArgument"/>.
/// </summary>
public sealed partial class Cache
{
    private readonly CacheClient _client;
    private readonly CallRunner _runner;
    private readonly NearReads? _near;
    private readonly CacheError? _invalidName;
    private readonly ulong _defaultTtlMs;

    // The timeout in ticks of the clock.
    private readonly long _timeout;

    internal Cache(CacheClient client, string? name, TimeSpan timeout)
    {
        _client = client;
        _runner = client.Runner;
        _near = client.NearReads;
        _invalidName = Arguments.CheckCache(name);
        _defaultTtlMs = client.DefaultTtlMs;
        _timeout = _runner.Clock.Ticks(timeout);
        Name = name ?? "";
        Timeout = timeout;
    }

    /// <summary>Gets the cache's name.</summary>
    public string Name { get; }

    /// <summary>Gets the timeout of each call: <see cref="Configuration.RequestTimeout"/>, or the timeout passed to <see cref="WithTimeout"/>.</summary>
    public TimeSpan Timeout { get; }

    /// <summary>
    /// Returns a handle to the same cache whose calls have another timeout. The new handle uses the same client, with its connections, limits, queue and retry
    /// budget. The handle is one small object, so it may be stored or created for each call.
    /// </summary>
    /// <param name="timeout">The timeout of each call, including waiting, sending and retrying. Greater than 0, at most 1 hour.</param>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is out of its range.</exception>
    public Cache WithTimeout(TimeSpan timeout) => timeout > TimeSpan.Zero && timeout <= Configuration.LongestTimeout
        ? new(_client, Name, timeout)
        : throw new ArgumentOutOfRangeException(
            nameof(timeout),
            timeout,
            $"The deadline of a call must be greater than 0 and at most {Configuration.LongestTimeout.TotalHours} h.");

    /// <summary>Returns a handle to this cache for values of one type, which a codec encodes and decodes.</summary>
    /// <typeparam name="T">The type of the values.</typeparam>
    /// <param name="codec">Encodes and decodes values: a <see cref="JsonCodec{T}"/>, <see cref="TextCodec"/>, or your own.</param>
    /// <param name="options">Compression and size limits. If null, the defaults of <see cref="TypedCacheOptions"/> apply: no compression.</param>
    /// <exception cref="ArgumentException">An option, or <see cref="IValueCodec{T}.Content"/> of the codec, is out of range.</exception>
    public TypedCache<T> Typed<T>(IValueCodec<T> codec, TypedCacheOptions? options = null) => new(this, codec, options);

    /// <summary>
    /// Returns this handle if the cache's name is valid. Used by adapters, because they read the name from settings, and an invalid setting must cause an
    /// exception at startup.
    /// </summary>
    /// <exception cref="ArgumentException">The cache's name is invalid.</exception>
    internal Cache WithValidName() => _invalidName is null ? this : throw new ArgumentException(_invalidName.Reason);

    private CacheError? CheckTtl(TimeSpan? ttl, out ulong ttlMs)
    {
        if (ttl is { } given)
        {
            return Arguments.CheckTtl(given, out ttlMs);
        }

        ttlMs = _defaultTtlMs;
        return null;
    }

    private CacheError? CheckTtl(CollectionTtl? ttl, out WireTtl wireTtl)
    {
        CollectionTtl given = ttl.GetValueOrDefault();
        CacheError? error = CheckTtl(given.Ttl, out ulong ttlMs);
        wireTtl = new WireTtl(ttlMs, given.RefreshTtl);
        return error;
    }

    // Checks the time to live of calls that keep the existing time to live if ttl is null.
    private CacheError? CheckKeptTtl(CollectionTtl? ttl, out WireTtl wireTtl)
    {
        wireTtl = default;
        return ttl is null ? null : CheckTtl(ttl, out wireTtl);
    }
}
