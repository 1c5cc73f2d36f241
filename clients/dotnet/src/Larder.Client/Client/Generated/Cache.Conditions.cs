// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Sets that depend on the current value. They are not retried if they may have run.</content>
public sealed partial class Cache
{
    /// <summary>Stores the value if the key does not exist.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Stored: the condition held, and the value is stored. Not stored: the condition did not hold; the item is unchanged.</returns>
    public ValueTask<SetIfResult> SetIfAbsentAsync(CacheBytes key, CacheBytes value, TimeSpan? ttl = null, CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key) ?? Arguments.CheckValue(value);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResult>(Name, new SetIfOperation(key, value, ttlMs, SetIfCondition.Absent), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores the value if the key exists.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Stored: the condition held, and the value is stored. Not stored: the condition did not hold; the item is unchanged.</returns>
    public ValueTask<SetIfResult> SetIfPresentAsync(CacheBytes key, CacheBytes value, TimeSpan? ttl = null, CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key) ?? Arguments.CheckValue(value);
        return error is null
            ? _runner.Run<SetIfOperation, SetIfResult>(Name, new SetIfOperation(key, value, ttlMs, SetIfCondition.Present), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores the value if the current value is exactly <paramref name="equal"/>.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="equal">The value to compare the stored value with, byte by byte.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Stored: the condition held, and the value is stored. Not stored: the condition did not hold; the item is unchanged.</returns>
    public ValueTask<SetIfResult> SetIfEqualAsync(
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
            ? _runner.Run<SetIfOperation, SetIfResult>(Name, new SetIfOperation(key, value, ttlMs, SetIfCondition.Equal, equal), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores the value if the key is missing or its value is not exactly <paramref name="equal"/>.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="equal">The value to compare the stored value with, byte by byte.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Stored: the condition held, and the value is stored. Not stored: the condition did not hold; the item is unchanged.</returns>
    public ValueTask<SetIfResult> SetIfNotEqualAsync(
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
            ? _runner.Run<SetIfOperation, SetIfResult>(Name, new SetIfOperation(key, value, ttlMs, SetIfCondition.NotEqual, equal), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores the value if the key exists and its value is not exactly <paramref name="equal"/>.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="equal">The value to compare the stored value with, byte by byte.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Stored: the condition held, and the value is stored. Not stored: the condition did not hold; the item is unchanged.</returns>
    public ValueTask<SetIfResult> SetIfPresentAndNotEqualAsync(
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
            ? _runner.Run<SetIfOperation, SetIfResult>(
                Name, new SetIfOperation(key, value, ttlMs, SetIfCondition.PresentAndNotEqual, equal), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }

    /// <summary>Stores the value if the key is missing or its value is exactly <paramref name="equal"/>.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="equal">The value to compare the stored value with, byte by byte.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Stored: the condition held, and the value is stored. Not stored: the condition did not hold; the item is unchanged.</returns>
    public ValueTask<SetIfResult> SetIfAbsentOrEqualAsync(
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
            ? _runner.Run<SetIfOperation, SetIfResult>(
                Name, new SetIfOperation(key, value, ttlMs, SetIfCondition.AbsentOrEqual, equal), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfOperation.Fail(error));
    }
}
