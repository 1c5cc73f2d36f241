using Larder.Client.Codecs;
using Larder.Client.Leases;
using Larder.Client.Near;
using Larder.Client.Operations;

namespace Larder.Client;

/// <summary>
/// A handle to one cache with values of one type, which a codec encodes and decodes. Created by <see cref="Cache.Typed"/>. Null can be stored: reading a stored
/// null is a hit. The handle cannot read values that untyped calls stored. It is lightweight and thread-safe.
/// </summary>
/// <typeparam name="T">The type of the values.</typeparam>
public sealed class TypedCache<T>
{
    private readonly Cache _cache;
    private readonly TypedValues<T> _values;
    private readonly Type _codec;

    internal TypedCache(Cache cache, IValueCodec<T> codec, TypedCacheOptions? options)
    {
        ArgumentNullException.ThrowIfNull(codec);
        if (codec.Content is 0 or (> 4 and < 128))
        {
            throw new ArgumentException(
                $"A codec's content type (Content) must be 128 to 255, or 1 to 4 for Larder's own codecs, but is {codec.Content}.", nameof(codec));
        }

        TypedCacheOptions given = options ?? new TypedCacheOptions();
        given.Check();
        _cache = cache;
        _values = new TypedValues<T>(codec, given);
        _codec = codec.GetType();
    }

    /// <summary>Gets the cache's name.</summary>
    public string Name => _cache.Name;

    /// <summary>Gets an item. If the stored value cannot be decoded, the result is an error.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<LookupResult<T?>> GetAsync(CacheBytes key, CancellationToken cancellationToken = default) =>
        FindKept(key, cancellationToken) is { } kept ? new(kept.Found) : GetDecodedAsync(key, cancellationToken);

    /// <summary>Stores an item. Replaces any existing item. If the codec throws, the caller gets the exception.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value, which may be null.</param>
    /// <param name="ttl">
    /// The time to live: greater than 0, and at most 365 days or the server's limit if that is lower. If null, the client's default time to live applies.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> SetAsync(CacheBytes key, T? value, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _values.Encode(value, out byte[] stored) is { } error
            ? ValueTask.FromResult(SetOperation.Fail(error))
            : _cache.SetAsync(key, stored, ttl, cancellationToken);

    /// <summary>
    /// Gets an item, or creates and stores it, in the same way as
    /// <see cref="Cache.GetOrCreateAsync(CacheBytes, Func{CancellationToken, ValueTask{byte[]}}, TimeSpan?, CancellationToken)"/>. If a stored value cannot be
    /// decoded, a new value is created and replaces it.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">Creates the value, which may be null. If the factory or the codec throws, the callers get the exception.</param>
    /// <param name="ttl">
    /// The time to live: greater than 0, and at most 365 days or the server's limit if that is lower. If null, the client's default time to live applies.
    /// </param>
    /// <param name="cancellationToken">Cancels this caller's wait.</param>
    /// <exception cref="ArgumentException">
    /// The cache's name, the key or the TTL is invalid, or the value is longer than <see cref="TypedCacheOptions.MaxDecodedBytes"/>.
    /// </exception>
    public ValueTask<GetOrCreateResult<T?>> GetOrCreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<T?>> factory,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) => GetOrCreateAsync(key, factory, ttl, options: null, ttlOf: null, cancellationToken);

    /// <summary>
    /// Gets an item, or creates and stores it. A lease ensures that at most one caller in all processes creates the value at a time. The options can permit
    /// returning expired values, and can add tags to values.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">Creates the value, which may be null. If the factory or the codec throws, the callers get the exception.</param>
    /// <param name="options">
    /// Options for loading and storing the value. The function <see cref="GetOrCreateOptions.TtlOf"/> is called with the encoded bytes.
    /// </param>
    /// <param name="ttlOf">
    /// Computes the time to live from the value before it is encoded. It replaces <see cref="GetOrCreateOptions.TtlOf"/>, which receives the encoded bytes. The
    /// default is null: the function in the options applies, if there is one.
    /// </param>
    /// <param name="cancellationToken">Cancels this caller's wait.</param>
    /// <exception cref="ArgumentException">
    /// The cache's name, the key or an option is invalid, or the value is longer than <see cref="TypedCacheOptions.MaxDecodedBytes"/>.
    /// </exception>
    public ValueTask<GetOrCreateResult<T?>> GetOrCreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<T?>> factory,
        GetOrCreateOptions options,
        Func<T?, TimeSpan?>? ttlOf = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        return GetOrCreateAsync(key, factory, options.Ttl, options, ttlOf, cancellationToken);
    }

    /// <summary>
    /// Gets an item, or creates and stores it with a lease. The factory receives a context with the stale value. It can declare that the stale value is still
    /// valid, and decide how its result is stored.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">Creates the value, which may be null. If the factory or the codec throws, the callers get the exception.</param>
    /// <param name="options">
    /// Options for loading and storing the value. The function <see cref="GetOrCreateOptions.TtlOf"/> is called with the encoded bytes.
    /// </param>
    /// <param name="cancellationToken">Cancels this caller's wait.</param>
    /// <exception cref="ArgumentException">
    /// The cache's name, the key, an option or a setting of the context is invalid, or the value is longer than
    /// <see cref="TypedCacheOptions.MaxDecodedBytes"/>.
    /// </exception>
    public ValueTask<GetOrCreateResult<T?>> GetOrCreateAsync(
        CacheBytes key,
        Func<FactoryContext<T?>, CancellationToken, ValueTask<T?>> factory,
        GetOrCreateOptions options,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(factory);
        ArgumentNullException.ThrowIfNull(options);
        return _cache.IsValid(options.Ttl, options) && FindKept(key, cancellationToken) is { } kept
            ? new(kept.Created)
            : CreateAsync(key, ItemFactory.Of(factory, Decoded, Stored), options.Ttl, options, cancellationToken);
    }

    /// <summary>
    /// Gets many items with one call. One call of the factory creates all values that are missing or cannot be decoded. The other rules are those of
    /// <see cref="Cache.GetOrCreateBatchAsync(IReadOnlyList{CacheBytes}, Func{IReadOnlyList{CacheBytes}, CancellationToken,
    /// ValueTask{IReadOnlyList{byte[]}}}, TimeSpan?, CancellationToken)"/>.
    /// </summary>
    /// <param name="keys">The keys. The results are in the order of the keys. The list may be empty, and may contain a key several times.</param>
    /// <param name="factory">Receives the missing keys, each key once, and returns one value for each of them, in the same order. A value may be null.</param>
    /// <param name="ttl">
    /// The time to live: greater than 0, and at most 365 days or the server's limit if that is lower. If null, the client's default time to live applies.
    /// </param>
    /// <param name="cancellationToken">Cancels the call. It is also passed to the factory.</param>
    /// <exception cref="ArgumentException">
    /// The cache's name, a key or the TTL is invalid, or a value is longer than <see cref="TypedCacheOptions.MaxDecodedBytes"/>.
    /// </exception>
    /// <exception cref="InvalidOperationException">The factory returned the wrong number of values.</exception>
    public async ValueTask<IReadOnlyList<GetOrCreateResult<T?>>> GetOrCreateBatchAsync(
        IReadOnlyList<CacheBytes> keys,
        Func<IReadOnlyList<CacheBytes>, CancellationToken, ValueTask<IReadOnlyList<T?>>> factory,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(factory);
        CreatedBytes[] answers = await _cache.GetOrCreateBatchAsync(keys, MakeAsync, ttl, Check, cancellationToken).ConfigureAwait(false);
        return Array.ConvertAll(answers, Typed);

        async ValueTask<IReadOnlyList<byte[]>> MakeAsync(IReadOnlyList<CacheBytes> missing, CancellationToken cancelled)
        {
            IReadOnlyList<T?>? made = await factory(missing, cancelled).ConfigureAwait(false);
            return made is null ? null! : [.. made.Select(Stored)];
        }
    }

    /// <summary>Gets many items. If an item cannot be decoded, only the result of its key is an error.</summary>
    /// <param name="keys">The keys. The results are in the order of the keys. The list may be empty.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async ValueTask<CacheResult<IReadOnlyList<LookupResult<T?>>>> GetBatchAsync(
        IReadOnlyList<CacheBytes> keys,
        CancellationToken cancellationToken = default)
    {
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>> read = await _cache.GetBatchAsync(keys, cancellationToken).ConfigureAwait(false);
        return read.IsError
            ? CacheResult<IReadOnlyList<LookupResult<T?>>>.Failed(read.Error)
            : CacheResult<IReadOnlyList<LookupResult<T?>>>.Success([.. read.Value.Select(Read)]);
    }

    /// <summary>Stores many items, one after the other. The batch is not atomic. If the codec throws, nothing is stored.</summary>
    /// <param name="items">The items. The results are in the order of the items. The list may be empty.</param>
    /// <param name="ttl">The time to live of items without their own time to live. If null, the client's default time to live applies.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult<IReadOnlyList<CacheResult>>> SetBatchAsync(
        IReadOnlyList<TypedSetBatchItem<T>> items, TimeSpan? ttl = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        List<SetBatchItem> stored = [];
        foreach (TypedSetBatchItem<T> item in items)
        {
            if (_values.Encode(item.Value, out byte[] value) is { } error)
            {
                return ValueTask.FromResult(SetBatchOperation.Fail(error));
            }

            stored.Add(new SetBatchItem(item.Key, value, item.Ttl));
        }

        return _cache.SetBatchAsync(stored, ttl, cancellationToken);
    }

    private async ValueTask<LookupResult<T?>> GetDecodedAsync(CacheBytes key, CancellationToken cancellationToken) =>
        Read(await _cache.GetAsync(key, cancellationToken).ConfigureAwait(false));

    private ValueTask<GetOrCreateResult<T?>> GetOrCreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<T?>> factory,
        TimeSpan? ttl,
        GetOrCreateOptions? options,
        Func<T?, TimeSpan?>? ttlOf,
        CancellationToken cancellationToken) => factory is not null && _cache.IsValid(ttl, options) && FindKept(key, cancellationToken) is { } kept
        ? new(kept.Created)
        : CreateAsync(key, factory!, ttl, options, ttlOf, cancellationToken);

    // Returns what is kept for the object of a valid near copy. Decodes the copy's value and stores the object with the copy if this is the first read of the
    // copy. Returns null if there is no copy, if objects are not kept, or if the value cannot be decoded.
    private KeptObject<T>? FindKept(in CacheBytes key, CancellationToken cancellationToken)
    {
        if (!_values.KeepsObjects || _cache.FindCopy(key, cancellationToken) is not { } copy)
        {
            return null;
        }

        if (copy.Decoded is KeptObject<T> kept && kept.Values.DecodesLike(_values))
        {
            return kept;
        }

        if (_values.Decode(copy.Value, out T? value) is not null)
        {
            return null;
        }

        KeptObject<T> decoded = new(_values, value);
        _cache.Attach(copy, decoded, _values.ObjectBytes(value, copy.Value.Length));
        return decoded;
    }

    private async ValueTask<GetOrCreateResult<T?>> CreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<T?>> factory,
        TimeSpan? ttl,
        GetOrCreateOptions? options,
        Func<T?, TimeSpan?>? ttlOf,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(factory);

        // Each run of the factory sets this variable. The function for the time to live is called after the factory, and reads the variable.
        T? made = default;
        GetOrCreateOptions? own = ttlOf is null ? options : options! with { TtlOf = _ => ttlOf(made) };
        return await CreateAsync(key, ItemFactory.Of(MakeAsync), ttl, own, cancellationToken).ConfigureAwait(false);

        async ValueTask<byte[]> MakeAsync(CancellationToken abandoned)
        {
            made = await factory(abandoned).ConfigureAwait(false);
            return Stored(made);
        }
    }

    private async ValueTask<GetOrCreateResult<T?>> CreateAsync(
        CacheBytes key,
        ItemFactory factory,
        TimeSpan? ttl,
        GetOrCreateOptions? options,
        CancellationToken cancellationToken) =>
        Typed(await _cache.GetOrCreateAsync(key, factory, ttl, options, Check, _codec, cancellationToken).ConfigureAwait(false));

    private T? Decoded(byte[] stored) => Read(stored);

    private byte[] Stored(T? value) => _values.Encode(value, out byte[] stored) is { } error ? throw new ArgumentException(error.Reason) : stored;

    // Decodes bytes that this object has just encoded, so an error is unexpected.
    private T? Read(ReadOnlyMemory<byte> stored) => _values.Decode(stored, out T? value) is { } error ? throw new CacheException(error) : value;

    private LookupResult<T?> Read(LookupResult<CacheValue> result)
    {
        if (!result.TryGetValue(out CacheValue stored))
        {
            return result.IsError ? LookupResult<T?>.Failed(result.Error) : LookupResult<T?>.Miss;
        }

        return _values.Decode(stored.Memory, out T? value) is { } undecodable ? LookupResult<T?>.Failed(undecodable) : LookupResult<T?>.SecretHit(value);
    }

    private bool Check(byte[] stored, out object? read)
    {
        bool isRead = _values.Decode(stored, out T? value) is null;
        read = isRead ? new Meaning(value) : null;
        return isRead;
    }

    private GetOrCreateResult<T?> Typed(CreatedBytes result) =>
        new CreatedValue<T?>(result.Read is Meaning meaning ? meaning.Value : Read(result.Value.Memory), result.Origin);

    private sealed record Meaning(T? Value);
}
