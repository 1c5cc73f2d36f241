using System.Runtime.CompilerServices;
using Larder.Client.Codecs;

namespace Larder.Client;

/// <summary>One cache of a client: the client's calls with the cache's name bound. As light as a reference; make as many as you like.</summary>
public sealed partial class BoundCache
{
    private readonly CacheClient _client;

    internal BoundCache(CacheClient client, string name)
    {
        if (Arguments.CheckCache(name) is { } error)
        {
            throw new ArgumentException(error.Reason, nameof(name));
        }

        _client = client;
        Name = name;
    }

    /// <summary>The cache's name.</summary>
    public string Name { get; }

    /// <summary>This cache with another deadline for its calls: <see cref="CacheClient.WithRequestTimeout"/>.</summary>
    /// <param name="timeout">The deadline of each call made with it: all its waiting, sending and retrying. Over 0, at most 1 h.</param>
    /// <exception cref="ArgumentOutOfRangeException">The deadline is out of its range.</exception>
    public BoundCache WithRequestTimeout(TimeSpan timeout) => new(_client.WithRequestTimeout(timeout), Name);

    /// <summary>The copy of an item's value, without a call: <see cref="CacheClient.TryGetNear(string, CacheBytes, out ReadOnlyMemory{byte})"/>.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value. Others are shown the same bytes: they stay as they are.</param>
    public bool TryGetNear(CacheBytes key, out ReadOnlyMemory<byte> value) => _client.TryGetNear(Name, key, out value);

    /// <summary>The same, of a key that need be no array.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value. Others are shown the same bytes: they stay as they are.</param>
    [OverloadResolutionPriority(1)]
    public bool TryGetNear(ReadOnlySpan<byte> key, out ReadOnlyMemory<byte> value) => _client.TryGetNear(Name, key, out value);

    /// <summary>Asks whether an item exists.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<KeyExistsResponse> KeyExistsAsync(CacheBytes key, CancellationToken cancellationToken = default) =>
        _client.KeyExistsAsync(Name, key, cancellationToken);

    /// <summary>Gets many items.</summary>
    /// <param name="keys">The keys, in the order of the answers; may be none. Must stay as they are until the call has ended.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<GetBatchResponse> GetBatchAsync(IReadOnlyList<CacheBytes> keys, CancellationToken cancellationToken = default) =>
        _client.GetBatchAsync(Name, keys, cancellationToken);

    /// <summary>Stores many items, one after the other; the batch as a whole is not atomic.</summary>
    /// <param name="items">The items, in the order of the answers; may be none. Must stay as they are until the call has ended.</param>
    /// <param name="ttl">Time to live of items that give none; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetBatchResponse> SetBatchAsync(IReadOnlyList<SetBatchItem> items, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetBatchAsync(Name, items, ttl, cancellationToken);

    /// <summary>Asks which of many items exist.</summary>
    /// <param name="keys">The keys, in the order of the answers; may be none. Must stay as they are until the call has ended.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<KeysExistResponse> KeysExistAsync(IReadOnlyList<CacheBytes> keys, CancellationToken cancellationToken = default) =>
        _client.KeysExistAsync(Name, keys, cancellationToken);

    /// <summary>Gets an item, or creates and stores it. If several callers of one client request a key at once, one runs its factory.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">Makes the value. Its exception is the caller's.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees this caller.</param>
    public ValueTask<GetOrCreateResponse> GetOrCreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<byte[]>> factory,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) => _client.GetOrCreateAsync(Name, key, factory, ttl, cancellationToken);

    /// <summary>The same, and of all processes one makes the value; it may be served past its time, and have tags.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">Makes the value. Its exception is the caller's.</param>
    /// <param name="options">How it is loaded and kept.</param>
    /// <param name="cancellationToken">Frees this caller.</param>
    public ValueTask<GetOrCreateResponse> GetOrCreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<byte[]>> factory,
        GetOrCreateOptions options,
        CancellationToken cancellationToken = default) => _client.GetOrCreateAsync(Name, key, factory, options, cancellationToken);

    /// <summary>Gets many items, makes those that are missing with one call of the factory, and stores them with one call.</summary>
    /// <param name="keys">The keys, in the order of the answers; may be none, or one several times.</param>
    /// <param name="factory">Makes a value for each of the missing keys that it is given, in their order. Its exception is the caller's.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller, and is the factory's.</param>
    public ValueTask<IReadOnlyList<GetOrCreateResponse>> GetOrCreateBatchAsync(
        IReadOnlyList<CacheBytes> keys,
        Func<IReadOnlyList<CacheBytes>, CancellationToken, ValueTask<IReadOnlyList<byte[]>>> factory,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) => _client.GetOrCreateBatchAsync(Name, keys, factory, ttl, cancellationToken);

    /// <summary>This cache with values of a type: <see cref="CacheClient.Typed"/>.</summary>
    /// <param name="codec">Writes the values as bytes and reads them.</param>
    /// <param name="options">Compression and bounds; null: the defaults.</param>
    public TypedCache<T> Typed<T>(IValueCodec<T> codec, TypedCacheOptions? options = null) => _client.Typed(Name, codec, options);

    /// <summary>Stores an item with tags: <see cref="CacheClient.SetWithTagsAsync"/>.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value: any bytes, or none.</param>
    /// <param name="tags">1 to 128, each of 1 to 1,024 bytes.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetResponse> SetWithTagsAsync(
        CacheBytes key,
        CacheBytes value,
        IReadOnlyList<CacheBytes> tags,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) => _client.SetWithTagsAsync(Name, key, value, tags, ttl, cancellationToken);

    /// <summary>Makes a miss of every item with one of the tags: <see cref="CacheClient.RemoveByTagAsync"/>.</summary>
    /// <param name="tags">1 to 128, each of 1 to 1,024 bytes.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<RemoveByTagResponse> RemoveByTagAsync(IReadOnlyList<CacheBytes> tags, CancellationToken cancellationToken = default) =>
        _client.RemoveByTagAsync(Name, tags, cancellationToken);
}
