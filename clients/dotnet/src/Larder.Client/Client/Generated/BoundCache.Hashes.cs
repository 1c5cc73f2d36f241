// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <content>Sets that depend on a hash of what is there. None is sent twice where it may have run.</content>
public sealed partial class BoundCache
{
    /// <summary>Stores where the key's value has the hash.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="hash">A hash as the server gave it.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfHashResponse> SetIfPresentAndHashEqualAsync(
        CacheBytes key,
        CacheBytes value,
        CacheBytes hash,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SetIfPresentAndHashEqualAsync(Name, key, value, hash, ttl, cancellationToken);

    /// <summary>Stores where the key is there and its value has another hash.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="hash">A hash as the server gave it.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfHashResponse> SetIfPresentAndNotHashEqualAsync(
        CacheBytes key,
        CacheBytes value,
        CacheBytes hash,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SetIfPresentAndNotHashEqualAsync(Name, key, value, hash, ttl, cancellationToken);

    /// <summary>Stores where the key is missing or its value has the hash.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="hash">A hash as the server gave it.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfHashResponse> SetIfAbsentOrHashEqualAsync(
        CacheBytes key,
        CacheBytes value,
        CacheBytes hash,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SetIfAbsentOrHashEqualAsync(Name, key, value, hash, ttl, cancellationToken);

    /// <summary>Stores where the key is missing or its value has another hash.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="hash">A hash as the server gave it.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfHashResponse> SetIfAbsentOrNotHashEqualAsync(
        CacheBytes key,
        CacheBytes value,
        CacheBytes hash,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SetIfAbsentOrNotHashEqualAsync(Name, key, value, hash, ttl, cancellationToken);

    /// <summary>Stores whatever is there, and answers the value's hash.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfHashResponse> SetWithHashAsync(
        CacheBytes key,
        CacheBytes value,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) =>
        _client.SetWithHashAsync(Name, key, value, ttl, cancellationToken);
}
