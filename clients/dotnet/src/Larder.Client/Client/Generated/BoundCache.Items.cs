// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <content>Calls on one item.</content>
public sealed partial class BoundCache
{
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
    /// <param name="keepTtl">Whether an item that is there keeps the time it has left; <paramref name="ttl"/> is then for a new one. Default: each increment
    /// refreshes it.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<IncrementResponse> IncrementAsync(
        CacheBytes key,
        long amount = 1,
        TimeSpan? ttl = null,
        bool keepTtl = false,
        CancellationToken cancellationToken = default) =>
        _client.IncrementAsync(Name, key, amount, ttl, keepTtl, cancellationToken);

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

    /// <summary>Gives an item a new time to live if its value begins with <paramref name="prefix"/>; otherwise returns what the value begins with.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="prefix">What the value must begin with: at most 64 bytes. An empty prefix matches no value.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<UpdateTtlIfPrefixResponse> UpdateTtlIfPrefixAsync(
        CacheBytes key,
        CacheBytes prefix,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.UpdateTtlIfPrefixAsync(Name, key, prefix, ttl, cancellationToken);
}
