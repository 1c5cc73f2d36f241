// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Sets that depend on the hash of the current value. They are not retried if they may have run.</content>
public sealed partial class Cache
{
    /// <summary>Stores the value if the current value has the given hash.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="hash">A hash that the server returned.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Stored: the condition held, and the value is stored. Not stored: the condition did not hold; the item is unchanged.</returns>
    public ValueTask<SetIfHashResult> SetIfPresentAndHashEqualAsync(
        CacheBytes key,
        CacheBytes value,
        CacheBytes hash,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs)
            ?? _invalidName
            ?? Arguments.CheckKey(key)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckValue(hash);
        return error is null
            ? _runner.Run<SetIfHashOperation, SetIfHashResult>(
                Name, new SetIfHashOperation(key, value, ttlMs, SetIfHashCondition.PresentAndHashEqual, hash), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfHashOperation.Fail(error));
    }

    /// <summary>Stores the value if the key exists and its value does not have the given hash.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="hash">A hash that the server returned.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Stored: the condition held, and the value is stored. Not stored: the condition did not hold; the item is unchanged.</returns>
    public ValueTask<SetIfHashResult> SetIfPresentAndNotHashEqualAsync(
        CacheBytes key,
        CacheBytes value,
        CacheBytes hash,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs)
            ?? _invalidName
            ?? Arguments.CheckKey(key)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckValue(hash);
        return error is null
            ? _runner.Run<SetIfHashOperation, SetIfHashResult>(
                Name, new SetIfHashOperation(key, value, ttlMs, SetIfHashCondition.PresentAndNotHashEqual, hash), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfHashOperation.Fail(error));
    }

    /// <summary>Stores the value if the key is missing or its value has the given hash.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="hash">A hash that the server returned.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Stored: the condition held, and the value is stored. Not stored: the condition did not hold; the item is unchanged.</returns>
    public ValueTask<SetIfHashResult> SetIfAbsentOrHashEqualAsync(
        CacheBytes key,
        CacheBytes value,
        CacheBytes hash,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs)
            ?? _invalidName
            ?? Arguments.CheckKey(key)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckValue(hash);
        return error is null
            ? _runner.Run<SetIfHashOperation, SetIfHashResult>(
                Name, new SetIfHashOperation(key, value, ttlMs, SetIfHashCondition.AbsentOrHashEqual, hash), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfHashOperation.Fail(error));
    }

    /// <summary>Stores the value if the key is missing or its value does not have the given hash.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="hash">A hash that the server returned.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Stored: the condition held, and the value is stored. Not stored: the condition did not hold; the item is unchanged.</returns>
    public ValueTask<SetIfHashResult> SetIfAbsentOrNotHashEqualAsync(
        CacheBytes key,
        CacheBytes value,
        CacheBytes hash,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs)
            ?? _invalidName
            ?? Arguments.CheckKey(key)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckValue(hash);
        return error is null
            ? _runner.Run<SetIfHashOperation, SetIfHashResult>(
                Name, new SetIfHashOperation(key, value, ttlMs, SetIfHashCondition.AbsentOrNotHashEqual, hash), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfHashOperation.Fail(error));
    }

    /// <summary>Stores the value unconditionally and returns the hash of the value. A correct server never reports that the value was not stored.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Stored: the condition held, and the value is stored. Not stored: the condition did not hold; the item is unchanged.</returns>
    public ValueTask<SetIfHashResult> SetWithHashAsync(CacheBytes key, CacheBytes value, TimeSpan? ttl = null, CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key) ?? Arguments.CheckValue(value);
        return error is null
            ? _runner.Run<SetIfHashOperation, SetIfHashResult>(
                Name, new SetIfHashOperation(key, value, ttlMs, SetIfHashCondition.Unconditional), _timeout, cancellationToken)
            : ValueTask.FromResult(SetIfHashOperation.Fail(error));
    }
}
