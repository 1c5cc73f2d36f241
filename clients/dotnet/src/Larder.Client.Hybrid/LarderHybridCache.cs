using System.Buffers;
using System.Collections.Concurrent;
using System.Text.Unicode;
using Larder.Client.Leases;
using Larder.Client.Near;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client;

/// <summary>
/// Implements .NET's <see cref="HybridCache"/> on a Larder server.
/// <para>
/// Values that this process has read are served from the client's near cache, without a call. After a process has set or removed an entry or removed a tag, the
/// server invalidates the copies of all other processes, usually within a few milliseconds. A process that cannot reach the server serves its copies for at
/// most 3 s. One process loads a missing value for all processes. Objects of immutable types are shared by all callers (strings, value types without
/// references, and sealed classes with <c>[ImmutableObject(true)]</c>); other objects are deserialized for each caller.
/// </para>
/// <para>
/// A load never fails because of the server: if the server is unavailable, the factory runs and its value is returned. A call that sets or removes something
/// throws a <see cref="CacheException"/> if the server is unavailable, because other processes would continue to serve the old value.
/// </para>
/// <para>
/// A key that is null, empty or white space, a key with control characters, invalid Unicode text and a key over
/// <see cref="LarderHybridCacheOptions.MaximumKeyLength"/> are never stored: the factory runs for each call, and calls that set or remove such a key do
/// nothing. A value over <see cref="LarderHybridCacheOptions.MaximumPayloadBytes"/> or the server's limit is returned and not stored. These cases are logged.
/// </para>
/// </summary>
public sealed partial class LarderHybridCache : HybridCache
{
    // The size of the stack buffer for the keys of near cache hits. The near cache encodes keys into a buffer of the same size.
    private const int KeyBytes = 256;

    private readonly ConcurrentDictionary<LoadKey, SharedCreation> _loads = new();
    private readonly LarderHybridCacheOptions _options;
    private readonly string _prefix;
    private readonly byte[] _prefixBytes;
    private readonly HybridCacheEntryFlags _defaultFlags;
    private readonly TimeSpan? _defaultLocalExpiration;
    private readonly EntryTags _noTags;
    private readonly CacheClient _client;
    private readonly GuardedLogger _logger;

    /// <summary>Creates a HybridCache that uses one cache of <paramref name="client"/>.</summary>
    /// <param name="client">The client. It should have a near cache that covers <see cref="LarderHybridCacheOptions.KeyPrefix"/>.</param>
    /// <param name="options">The settings. Do not change them afterwards.</param>
    /// <param name="services">
    /// The services with the serializers of the application: <see cref="IHybridCacheSerializer{T}"/> and <see cref="IHybridCacheSerializerFactory"/>. If null,
    /// strings are stored as text, byte arrays as bytes, and other types as JSON.
    /// </param>
    /// <param name="timeProvider">The clock for values that only this process has. If null, the system clock is used.</param>
    /// <param name="logger">Receives log messages. If null, nothing is logged.</param>
    /// <exception cref="ArgumentException">A setting is invalid.</exception>
    public LarderHybridCache(
        CacheClient client,
        LarderHybridCacheOptions options,
        IServiceProvider? services = null,
        TimeProvider? timeProvider = null,
        ILogger<LarderHybridCache>? logger = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(options);
        options.Check();
        TimeProvider time = timeProvider ?? TimeProvider.System;
        _client = client;
        _options = options;
        _prefix = options.KeyPrefix;
        _prefixBytes = CacheBytes.FromString(_prefix).ToArray();
        _defaultFlags = options.DefaultEntryOptions?.Flags ?? HybridCacheEntryFlags.None;
        _defaultLocalExpiration = options.DefaultEntryOptions?.LocalCacheExpiration;
        _noTags = EntryTags.None(_prefix);
        _logger = new GuardedLogger((ILogger?)logger ?? NullLogger.Instance);
        Cache = client.Cache(options.CacheName).WithValidName();
        Types = new EntryTypes(services, options);
        Local = new LocalEntries(options.LocalOnlyBytes, time);
        Longest = new MaxTtlCache(client, options.CacheName, time);
        if (client.NearReads is null)
        {
            Log.HybridWithoutNearCache(_logger);
        }
    }

    /// <summary>Gets the handle of the cache that contains the entries.</summary>
    internal Cache Cache { get; }

    internal EntryTypes Types { get; }

    /// <summary>Gets the values that only this process has.</summary>
    internal LocalEntries Local { get; }

    /// <summary>Gets the server's maximum TTL.</summary>
    internal MaxTtlCache Longest { get; }

    internal GetOrCreateOptions Loading => _options.Loading;

    /// <inheritdoc/>
    /// <param name="key">The key of the entry.</param>
    /// <param name="state">The argument of the factory.</param>
    /// <param name="factory">
    /// Creates the value, which may be null. Its token is cancelled when no caller waits for the value any more. If it throws, the callers that share the load
    /// get the exception.
    /// </param>
    /// <param name="options">The expiration and the flags. If null, <see cref="LarderHybridCacheOptions.DefaultEntryOptions"/> applies.</param>
    /// <param name="tags">
    /// The tags by which the entry can be removed. A tag must not be null, empty, white space or <c>*</c>. An entry with more than 127 tags is not stored.
    /// </param>
    /// <param name="cancellationToken">Cancels this caller's wait.</param>
    public override ValueTask<T> GetOrCreateAsync<TState, T>(
        string key,
        TState state,
        Func<TState, CancellationToken, ValueTask<T>> factory,
        HybridCacheEntryOptions? options = null,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(factory);
        cancellationToken.ThrowIfCancellationRequested();
        return TryGetCopy(key, options, out T? value) ? new(value!) : LoadAsync(key, state, factory, options, tags, cancellationToken);
    }

    /// <inheritdoc/>
    public override ValueTask<T> GetOrCreateAsync<TState, T>(
        ReadOnlySpan<char> key,
        TState state,
        Func<TState, CancellationToken, ValueTask<T>> factory,
        HybridCacheEntryOptions? options = null,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(factory);
        cancellationToken.ThrowIfCancellationRequested();
        return TryGetCopy(key, options, out T? value) ? new(value!) : LoadAsync(key.ToString(), state, factory, options, tags, cancellationToken);
    }

    /// <summary>Identifies the item of a key.</summary>
    internal LeasedItem ItemOf(CacheBytes key) => new(_client, Cache.Name, key);

    /// <summary>Returns the flags of a call.</summary>
    internal HybridCacheEntryFlags FlagsOf(HybridCacheEntryOptions? options) => options?.Flags ?? _defaultFlags;

    /// <summary>Returns the time to live of an entry, or a time that is not positive if the entry must not be stored.</summary>
    internal TimeSpan ExpirationOf(HybridCacheEntryOptions? options) =>
        options?.Expiration ?? _options.DefaultEntryOptions?.Expiration ?? LarderHybridCacheOptions.DefaultExpiration;

    /// <summary>Returns how long after it was read a value may be served from this process, or null if only its time to live limits it.</summary>
    internal TimeSpan? LocalExpirationOf(HybridCacheEntryOptions? options) => options is null ? _defaultLocalExpiration
        : options.LocalCacheExpiration ?? (options.Expiration is null ? _defaultLocalExpiration : null);

    /// <summary>Logs that an entry was not stored.</summary>
    internal void NotStored(string reason)
    {
        if (_client.FailureLog.TryPass(_logger, out long entries))
        {
            Log.HybridEntryNotStored(_logger, reason, entries);
        }
    }

    /// <summary>Logs that a call to the server failed while a value was loaded.</summary>
    internal void NotStored(CacheError error) => NotStored(error.Message);

    /// <summary>Returns the value that only this process has, if a call with these flags may read it. Otherwise returns null.</summary>
    internal LoadedValue<T>? FindLocal<T>(ReadOnlySpan<char> key, HybridCacheEntryFlags flags) =>
        (flags & HybridCacheEntryFlags.DisableDistributedCache) != 0 && (flags & HybridCacheEntryFlags.DisableLocalCacheRead) == 0
            ? Local.Find(key) as LoadedValue<T>
            : null;

    // Returns the value from the near cache. Allocates nothing if the object was kept with the copy.
    private bool TryGetCopy<T>(ReadOnlySpan<char> key, HybridCacheEntryOptions? options, out T? value)
    {
        value = default;
        HybridCacheEntryFlags flags = FlagsOf(options);
        if ((flags & HybridCacheEntryFlags.DisableLocalCacheRead) != 0 || FindLocal<T>(key, flags) is not null)
        {
            // LoadAsync returns the value of this process, which takes precedence over a copy of the server's value.
            return false;
        }

        // A key that does not fit is looked up by LoadAsync.
        Span<byte> stored = stackalloc byte[KeyBytes];
        _prefixBytes.CopyTo(stored);
        return Utf8.FromUtf16(key, stored[_prefixBytes.Length..], out _, out int written, replaceInvalidSequences: false) == OperationStatus.Done
            && written > 0
            && Cache.FindCopy(stored[..(_prefixBytes.Length + written)]) is { } copy
            && TryRead(copy, options, out value);
    }

    private bool TryRead<T>(NearCopy copy, HybridCacheEntryOptions? options, out T? value)
    {
        if (LocalExpirationOf(options) is { } age && Cache.IsAtLeast(age, copy))
        {
            value = default;
            return false;
        }

        if (copy.Decoded is HeldObject<T> held && ReferenceEquals(held.Owner, this))
        {
            value = held.Value;
            return true;
        }

        EntryType<T> type = Types.Of<T>();
        if (!type.TryDeserialize(copy.Value, out value))
        {
            return false;
        }

        if (type.IsImmutable)
        {
            Cache.Attach(copy, new HeldObject<T>(this, value), copy.Value.Length);
        }

        return true;
    }
}
