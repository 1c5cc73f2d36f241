// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Sets that depend on what is there. None is sent twice where it may have run.</content>
public sealed partial class Cache
{
    /// <summary>Stores where the key is missing.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetIfResponse> SetIfAbsentAsync(CacheBytes key, CacheBytes value, TimeSpan? ttl = null, CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key) ?? Arguments.CheckValue(value);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResponse>(Name, new SetIfOperation(key, value, ttlMs, SetIfCondition.Absent), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores where the key is there.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetIfResponse> SetIfPresentAsync(CacheBytes key, CacheBytes value, TimeSpan? ttl = null, CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key) ?? Arguments.CheckValue(value);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResponse>(Name, new SetIfOperation(key, value, ttlMs, SetIfCondition.Present), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores where the key holds exactly <paramref name="equal"/>.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="equal">What the stored value is compared with, byte by byte.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetIfResponse> SetIfEqualAsync(
        CacheBytes key,
        CacheBytes value,
        CacheBytes equal,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs)
            ?? _invalidName
            ?? Arguments.CheckKey(key)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckValue(equal);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResponse>(Name, new SetIfOperation(key, value, ttlMs, SetIfCondition.Equal, equal), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores where the key does not hold exactly <paramref name="equal"/>; a missing key stores.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="equal">What the stored value is compared with, byte by byte.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetIfResponse> SetIfNotEqualAsync(
        CacheBytes key,
        CacheBytes value,
        CacheBytes equal,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs)
            ?? _invalidName
            ?? Arguments.CheckKey(key)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckValue(equal);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResponse>(
                Name, new SetIfOperation(key, value, ttlMs, SetIfCondition.NotEqual, equal), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores where the key is there and holds something else.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="equal">What the stored value is compared with, byte by byte.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetIfResponse> SetIfPresentAndNotEqualAsync(
        CacheBytes key,
        CacheBytes value,
        CacheBytes equal,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs)
            ?? _invalidName
            ?? Arguments.CheckKey(key)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckValue(equal);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResponse>(
                Name, new SetIfOperation(key, value, ttlMs, SetIfCondition.PresentAndNotEqual, equal), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores where the key is missing or holds exactly <paramref name="equal"/>.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="equal">What the stored value is compared with, byte by byte.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetIfResponse> SetIfAbsentOrEqualAsync(
        CacheBytes key,
        CacheBytes value,
        CacheBytes equal,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs)
            ?? _invalidName
            ?? Arguments.CheckKey(key)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckValue(equal);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResponse>(
                Name, new SetIfOperation(key, value, ttlMs, SetIfCondition.AbsentOrEqual, equal), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }
}
