namespace Larder.Client;

/// <summary>One cache of a client: the client's calls with the cache's name bound. As light as a reference; make as many as you like.</summary>
public sealed partial class CacheHandle
{
    private readonly CacheClient _client;

    internal CacheHandle(CacheClient client, string name)
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

    /// <summary>Gets an item's value.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<GetResponse> GetAsync(CacheBytes key, CancellationToken cancellationToken = default) =>
        _client.GetAsync(Name, key, cancellationToken);

    /// <summary>Stores a value, whatever was there.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetResponse> SetAsync(CacheBytes key, CacheBytes value, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetAsync(Name, key, value, ttl, cancellationToken);

    /// <summary>Removes an item; it need not exist.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<DeleteResponse> DeleteAsync(CacheBytes key, CancellationToken cancellationToken = default) =>
        _client.DeleteAsync(Name, key, cancellationToken);

    /// <summary>Adds to an integer item, which is made at 0 where it is missing. Never sent twice where it may have run.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="amount">What is added; may be negative.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="keepTtl">Whether an item that is there keeps the time it has left; <paramref name="ttl"/> is then for a new one. Default: each increment refreshes it.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<IncrementResponse> IncrementAsync(CacheBytes key, long amount = 1, TimeSpan? ttl = null, bool keepTtl = false, CancellationToken cancellationToken = default) =>
        _client.IncrementAsync(Name, key, amount, ttl, keepTtl, cancellationToken);

    /// <summary>Asks whether an item exists.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<KeyExistsResponse> KeyExistsAsync(CacheBytes key, CancellationToken cancellationToken = default) =>
        _client.KeyExistsAsync(Name, key, cancellationToken);

    /// <summary>Asks how long an item will live.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ItemGetTtlResponse> ItemGetTtlAsync(CacheBytes key, CancellationToken cancellationToken = default) =>
        _client.ItemGetTtlAsync(Name, key, cancellationToken);

    /// <summary>Asks what an item holds.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ItemGetTypeResponse> ItemGetTypeAsync(CacheBytes key, CancellationToken cancellationToken = default) =>
        _client.ItemGetTypeAsync(Name, key, cancellationToken);

    /// <summary>Gets an item's value and its hash, for a later set conditional on it.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<GetWithHashResponse> GetWithHashAsync(CacheBytes key, CancellationToken cancellationToken = default) =>
        _client.GetWithHashAsync(Name, key, cancellationToken);

    /// <summary>Gives an item a new time to live, whatever is left.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="ttl">The new time to live: over 0, at most 365 days, or what the server allows.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<UpdateTtlResponse> UpdateTtlAsync(CacheBytes key, TimeSpan ttl, CancellationToken cancellationToken = default) =>
        _client.UpdateTtlAsync(Name, key, ttl, cancellationToken);

    /// <summary>Gives an item a new time to live where that is longer than what is left.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="ttl">The new time to live: over 0, at most 365 days, or what the server allows.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<UpdateTtlResponse> IncreaseTtlAsync(CacheBytes key, TimeSpan ttl, CancellationToken cancellationToken = default) =>
        _client.IncreaseTtlAsync(Name, key, ttl, cancellationToken);

    /// <summary>Gives an item a new time to live where that is shorter than what is left.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="ttl">The new time to live: over 0, at most 365 days, or what the server allows.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<UpdateTtlResponse> DecreaseTtlAsync(CacheBytes key, TimeSpan ttl, CancellationToken cancellationToken = default) =>
        _client.DecreaseTtlAsync(Name, key, ttl, cancellationToken);

    /// <summary>Stores where the key is missing.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfResponse> SetIfAbsentAsync(CacheBytes key, CacheBytes value, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetIfAbsentAsync(Name, key, value, ttl, cancellationToken);

    /// <summary>Stores where the key is there.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfResponse> SetIfPresentAsync(CacheBytes key, CacheBytes value, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetIfPresentAsync(Name, key, value, ttl, cancellationToken);

    /// <summary>Stores where the key holds exactly <paramref name="comparand"/>.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="comparand">What the stored value is compared with, byte by byte.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfResponse> SetIfEqualAsync(CacheBytes key, CacheBytes value, CacheBytes comparand, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetIfEqualAsync(Name, key, value, comparand, ttl, cancellationToken);

    /// <summary>Stores where the key does not hold exactly <paramref name="comparand"/>; a missing key stores.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="comparand">What the stored value is compared with, byte by byte.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfResponse> SetIfNotEqualAsync(CacheBytes key, CacheBytes value, CacheBytes comparand, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetIfNotEqualAsync(Name, key, value, comparand, ttl, cancellationToken);

    /// <summary>Stores where the key is there and holds something else.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="comparand">What the stored value is compared with, byte by byte.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfResponse> SetIfPresentAndNotEqualAsync(CacheBytes key, CacheBytes value, CacheBytes comparand, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetIfPresentAndNotEqualAsync(Name, key, value, comparand, ttl, cancellationToken);

    /// <summary>Stores where the key is missing or holds exactly <paramref name="comparand"/>.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="comparand">What the stored value is compared with, byte by byte.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfResponse> SetIfAbsentOrEqualAsync(CacheBytes key, CacheBytes value, CacheBytes comparand, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetIfAbsentOrEqualAsync(Name, key, value, comparand, ttl, cancellationToken);

    /// <summary>Stores where the key's value has the hash.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="hash">A hash as the server gave it.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfHashResponse> SetIfPresentAndHashEqualAsync(CacheBytes key, CacheBytes value, CacheBytes hash, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetIfPresentAndHashEqualAsync(Name, key, value, hash, ttl, cancellationToken);

    /// <summary>Stores where the key is there and its value has another hash.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="hash">A hash as the server gave it.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfHashResponse> SetIfPresentAndNotHashEqualAsync(CacheBytes key, CacheBytes value, CacheBytes hash, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetIfPresentAndNotHashEqualAsync(Name, key, value, hash, ttl, cancellationToken);

    /// <summary>Stores where the key is missing or its value has the hash.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="hash">A hash as the server gave it.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfHashResponse> SetIfAbsentOrHashEqualAsync(CacheBytes key, CacheBytes value, CacheBytes hash, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetIfAbsentOrHashEqualAsync(Name, key, value, hash, ttl, cancellationToken);

    /// <summary>Stores where the key is missing or its value has another hash.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="hash">A hash as the server gave it.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfHashResponse> SetIfAbsentOrNotHashEqualAsync(CacheBytes key, CacheBytes value, CacheBytes hash, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetIfAbsentOrNotHashEqualAsync(Name, key, value, hash, ttl, cancellationToken);

    /// <summary>Stores whatever is there, and answers the value's hash.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfHashResponse> SetWithHashAsync(CacheBytes key, CacheBytes value, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.SetWithHashAsync(Name, key, value, ttl, cancellationToken);

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

    /// <summary>Gets an item, or makes and stores it: <see cref="CacheClient.GetOrCreateAsync"/>.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">Makes the value. Its exception is the caller's.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees this caller.</param>
    public ValueTask<GetOrCreateResponse> GetOrCreateAsync(CacheBytes key, Func<CancellationToken, ValueTask<byte[]>> factory, TimeSpan? ttl = null, CancellationToken cancellationToken = default) =>
        _client.GetOrCreateAsync(Name, key, factory, ttl, cancellationToken);
}
