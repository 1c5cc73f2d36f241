using Larder.Client.Codecs;
using Larder.Client.Operations;

namespace Larder.Client;

/// <summary>
/// One cache of a client with values of one type, written and read by a codec: made by <see cref="CacheClient.Typed"/>. Null can be stored, so that "there is
/// none" is a hit. What plain calls store is not read by it. As light as a reference.
/// </summary>
/// <typeparam name="T">The type of the values.</typeparam>
public sealed class TypedCache<T>
{
    private readonly CacheClient _client;
    private readonly TypedValues<T> _values;
    private readonly Type _codec;

    internal TypedCache(CacheClient client, string name, IValueCodec<T> codec, TypedCacheOptions? options)
    {
        ArgumentNullException.ThrowIfNull(codec);
        if (codec.Content is 0 or (> 4 and < 128))
        {
            throw new ArgumentException($"A codec's content is 128 to 255, or 1 to 4 of Larder's own, not {codec.Content}.", nameof(codec));
        }

        TypedCacheOptions given = options ?? new TypedCacheOptions();
        given.Check();
        if (Arguments.CheckCache(name) is { } error)
        {
            throw new ArgumentException(error.Reason, nameof(name));
        }

        _client = client;
        _values = new TypedValues<T>(codec, given);
        _codec = codec.GetType();
        Name = name;
    }

    /// <summary>The cache's name.</summary>
    public string Name { get; }

    /// <summary>Gets an item.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public async ValueTask<TypedGetResponse<T>> GetAsync(CacheBytes key, CancellationToken cancellationToken = default) =>
        Read(await _client.GetAsync(Name, key, cancellationToken).ConfigureAwait(false));

    /// <summary>Stores an item, whatever is there. Throws what the codec throws.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value; null is one.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetResponse> SetAsync(CacheBytes key, T? value, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _values.Encode(value, out byte[] stored) is { } error
            ? ValueTask.FromResult(SetOperation.Fail(error))
            : _client.SetAsync(Name, key, stored, ttl, cancellationToken);

    /// <summary>Gets an item, or makes and stores it: as <see cref="CacheClient.GetOrCreateAsync(string, CacheBytes, Func{CancellationToken,
    /// ValueTask{byte[]}}, TimeSpan?, CancellationToken)"/>. What is stored and cannot be read is made anew, and replaced.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">Makes the value; null is one. Its exception is the caller's, as is the codec's.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees this caller.</param>
    /// <exception cref="ArgumentException">The key or the TTL is none, or the value is longer than may be stored.</exception>
    public ValueTask<TypedGetOrCreateResponse<T>> GetOrCreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<T?>> factory,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) => GetOrCreateAsync(key, factory, ttl, options: null, ttlOf: null, cancellationToken);

    /// <summary>The same, and of all processes one makes the value; it may be served past its time, and have tags.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">Makes the value; null is one. Its exception is the caller's, as is the codec's.</param>
    /// <param name="options">How it is loaded and kept; its <see cref="GetOrCreateOptions.TtlOf"/> would be given the stored bytes.</param>
    /// <param name="ttlOf">The time to live that a value says of itself: <see cref="GetOrCreateOptions.TtlOf"/>. Default: null, none.</param>
    /// <param name="cancellationToken">Frees this caller.</param>
    /// <exception cref="ArgumentException">The key or an option is none, or the value is longer than may be stored.</exception>
    public ValueTask<TypedGetOrCreateResponse<T>> GetOrCreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<T?>> factory,
        GetOrCreateOptions options,
        Func<T?, TimeSpan?>? ttlOf = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        return GetOrCreateAsync(key, factory, options.Ttl, options, ttlOf, cancellationToken);
    }

    /// <summary>Gets many items with one call, and makes those that are missing, or cannot be read, with one call of the factory: as
    /// <see cref="CacheClient.GetOrCreateBatchAsync(string, IReadOnlyList{CacheBytes}, Func{IReadOnlyList{CacheBytes}, CancellationToken,
    /// ValueTask{IReadOnlyList{byte[]}}}, TimeSpan?, CancellationToken)"/>.</summary>
    /// <param name="keys">The keys, in the order of the answers; may be none, or one several times.</param>
    /// <param name="factory">Makes a value for each of the missing keys that it is given, in their order; null is one.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller, and is the factory's.</param>
    /// <exception cref="ArgumentException">A key or the TTL is none, or a value is longer than may be stored.</exception>
    /// <exception cref="InvalidOperationException">The factory made another number of values.</exception>
    public async ValueTask<IReadOnlyList<TypedGetOrCreateResponse<T>>> GetOrCreateBatchAsync(
        IReadOnlyList<CacheBytes> keys,
        Func<IReadOnlyList<CacheBytes>, CancellationToken, ValueTask<IReadOnlyList<T?>>> factory,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(factory);
        GetOrCreateResponse[] answers = await _client.GetOrCreateBatchAsync(Name, keys, MakeAsync, ttl, Check, cancellationToken).ConfigureAwait(false);
        return Array.ConvertAll(answers, Typed);

        async ValueTask<IReadOnlyList<byte[]>> MakeAsync(IReadOnlyList<CacheBytes> missing, CancellationToken cancelled)
        {
            IReadOnlyList<T?>? made = await factory(missing, cancelled).ConfigureAwait(false);
            return made is null ? null! : [.. made.Select(Stored)];
        }
    }

    /// <summary>Gets many items; one that cannot be read is an error of its own.</summary>
    /// <param name="keys">The keys, in the order of the answers; may be none.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public async ValueTask<TypedGetBatchResponse<T>> GetBatchAsync(IReadOnlyList<CacheBytes> keys, CancellationToken cancellationToken = default) =>
        await _client.GetBatchAsync(Name, keys, cancellationToken).ConfigureAwait(false) switch
        {
            GetBatchResponse.Success success => new TypedGetBatchResponse<T>.Success([.. success.Responses.Select(Read)]),
            GetBatchResponse.Error error => new TypedGetBatchResponse<T>.Error(error.Failure),
            _ => throw new InvalidOperationException("There is no other answer."),
        };

    /// <summary>Stores many items, one after the other; the batch as a whole is not atomic. Throws what the codec throws; nothing is stored then.</summary>
    /// <param name="items">The items, in the order of the answers; may be none.</param>
    /// <param name="ttl">Time to live of items that give none; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetBatchResponse> SetBatchAsync(
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

        return _client.SetBatchAsync(Name, stored, ttl, cancellationToken);
    }

    private async ValueTask<TypedGetOrCreateResponse<T>> GetOrCreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<T?>> factory,
        TimeSpan? ttl,
        GetOrCreateOptions? options,
        Func<T?, TimeSpan?>? ttlOf,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(factory);

        // One call makes one value, whose time to live is asked for once it is made.
        T? made = default;
        GetOrCreateOptions? own = ttlOf is null ? options : options! with { TtlOf = _ => ttlOf(made) };
        return Typed(await _client.GetOrCreateAsync(Name, key, MakeAsync, ttl, own, Check, _codec, cancellationToken).ConfigureAwait(false));

        async ValueTask<byte[]> MakeAsync(CancellationToken abandoned)
        {
            made = await factory(abandoned).ConfigureAwait(false);
            return Stored(made);
        }
    }

    private byte[] Stored(T? value) => _values.Encode(value, out byte[] stored) is { } error ? throw new ArgumentException(error.Reason) : stored;

    // Of bytes that this cache has just written.
    private T? Read(ReadOnlyMemory<byte> stored) => _values.Decode(stored, out T? value) is { } error ? throw new CacheException(error) : value;

    private TypedGetResponse<T> Read(GetResponse response)
    {
        switch (response)
        {
            case GetResponse.Hit hit:
                return _values.Decode(hit.Value, out T? value) is { } undecodable
                    ? new TypedGetResponse<T>.Error(undecodable)
                    : new TypedGetResponse<T>.Hit(value);
            case GetResponse.Error error:
                return new TypedGetResponse<T>.Error(error.Failure);
            default:
                return TypedGetResponse<T>.Miss.Instance;
        }
    }

    private bool Check(byte[] stored, out object? read)
    {
        bool isRead = _values.Decode(stored, out T? value) is null;
        read = isRead ? new Meaning(value) : null;
        return isRead;
    }

    private TypedGetOrCreateResponse<T> Typed(GetOrCreateResponse response) =>
        TypedGetOrCreateResponse<T>.Of(response, response.Read is Meaning meaning ? meaning.Value : Read(response.Value));

    private sealed record Meaning(T? Value);
}
