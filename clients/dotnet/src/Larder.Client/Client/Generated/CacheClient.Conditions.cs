// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Sets that depend on what is there. None is sent twice where it may have run.</content>
public sealed partial class CacheClient
{
    /// <summary>Stores where the key is missing.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfResponse> SetIfAbsentAsync(
        string cache,
        CacheBytes key,
        CacheBytes value,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? CheckCache(cache) ?? Arguments.CheckKey(key) ?? Arguments.CheckValue(value);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResponse>(cache, new SetIfOperation(key, value, ttlMs, SetIfCondition.Absent), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores where the key is there.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfResponse> SetIfPresentAsync(
        string cache,
        CacheBytes key,
        CacheBytes value,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? CheckCache(cache) ?? Arguments.CheckKey(key) ?? Arguments.CheckValue(value);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResponse>(cache, new SetIfOperation(key, value, ttlMs, SetIfCondition.Present), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores where the key holds exactly <paramref name="equal"/>.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="equal">What the stored value is compared with, byte by byte.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfResponse> SetIfEqualAsync(
        string cache,
        CacheBytes key,
        CacheBytes value,
        CacheBytes equal,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs)
            ?? CheckCache(cache)
            ?? Arguments.CheckKey(key)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckValue(equal);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResponse>(cache, new SetIfOperation(key, value, ttlMs, SetIfCondition.Equal, equal), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores where the key does not hold exactly <paramref name="equal"/>; a missing key stores.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="equal">What the stored value is compared with, byte by byte.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfResponse> SetIfNotEqualAsync(
        string cache,
        CacheBytes key,
        CacheBytes value,
        CacheBytes equal,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs)
            ?? CheckCache(cache)
            ?? Arguments.CheckKey(key)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckValue(equal);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResponse>(
                cache, new SetIfOperation(key, value, ttlMs, SetIfCondition.NotEqual, equal), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores where the key is there and holds something else.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="equal">What the stored value is compared with, byte by byte.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfResponse> SetIfPresentAndNotEqualAsync(
        string cache,
        CacheBytes key,
        CacheBytes value,
        CacheBytes equal,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs)
            ?? CheckCache(cache)
            ?? Arguments.CheckKey(key)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckValue(equal);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResponse>(
                cache, new SetIfOperation(key, value, ttlMs, SetIfCondition.PresentAndNotEqual, equal), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores where the key is missing or holds exactly <paramref name="equal"/>.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="equal">What the stored value is compared with, byte by byte.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<SetIfResponse> SetIfAbsentOrEqualAsync(
        string cache,
        CacheBytes key,
        CacheBytes value,
        CacheBytes equal,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs)
            ?? CheckCache(cache)
            ?? Arguments.CheckKey(key)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckValue(equal);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResponse>(
                cache, new SetIfOperation(key, value, ttlMs, SetIfCondition.AbsentOrEqual, equal), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }
}
