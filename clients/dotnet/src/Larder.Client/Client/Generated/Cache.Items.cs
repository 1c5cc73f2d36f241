// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Calls on one item.</content>
public sealed partial class Cache
{
    /// <summary>Gets an item's value.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<LookupResult<CacheValue>> GetAsync(CacheBytes key, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(key);
        if (_near is not null && error is null && Copied(key, cancellationToken) is { } copied)
        {
            return ValueTask.FromResult<LookupResult<CacheValue>>(copied);
        }

        return error is null
            ? _runner.Run<GetOperation, LookupResult<CacheValue>>(Name, new GetOperation(key), _timeout, cancellationToken)
            : ValueTask.FromResult(GetOperation.Fail(error));
    }

    /// <summary>Stores a value and replaces an existing item.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> SetAsync(CacheBytes key, CacheBytes value, TimeSpan? ttl = null, CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key) ?? Arguments.CheckValue(value);
        return error is null
            ? _runner.Run<SetOperation, CacheResult>(Name, new SetOperation(key, value, ttlMs), _timeout, cancellationToken)
            : ValueTask.FromResult(SetOperation.Fail(error));
    }

    /// <summary>Deletes an item. Succeeds even if the item does not exist.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> DeleteAsync(CacheBytes key, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(key);
        return error is null
            ? _runner.Run<DeleteOperation, CacheResult>(Name, new DeleteOperation(key), _timeout, cancellationToken)
            : ValueTask.FromResult(DeleteOperation.Fail(error));
    }

    /// <summary>Adds to an integer item, which is created with the value 0 if it does not exist. The client does not retry this call if it may have
    /// run.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="amount">The amount to add, which may be negative.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="keepTtl">Whether an existing item keeps its remaining TTL; <paramref name="ttl"/> then applies only to a new item. By default, each
    /// increment sets the TTL again.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Value: the value after the increment.</returns>
    public ValueTask<CacheResult<long>> IncrementAsync(
        CacheBytes key,
        long amount = 1,
        TimeSpan? ttl = null,
        bool keepTtl = false,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key);
        return error is null
            ? _runner.Run<IncrementOperation, CacheResult<long>>(Name, new IncrementOperation(key, amount, ttlMs, keepTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(IncrementOperation.Fail(error));
    }

    /// <summary>Gets the remaining TTL of an item.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the item exists. Value: the time until the item expires, rounded down to milliseconds. Miss: the item does not exist, or has
    /// expired.</returns>
    public ValueTask<LookupResult<TimeSpan>> ItemGetTtlAsync(CacheBytes key, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(key);
        return error is null
            ? _runner.Run<ItemGetTtlOperation, LookupResult<TimeSpan>>(Name, new ItemGetTtlOperation(key), _timeout, cancellationToken)
            : ValueTask.FromResult(ItemGetTtlOperation.Fail(error));
    }

    /// <summary>Gets the type of an item.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the item exists. Value: the type of the item. Miss: the item does not exist, or has expired.</returns>
    public ValueTask<LookupResult<CacheItemType>> ItemGetTypeAsync(CacheBytes key, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(key);
        return error is null
            ? _runner.Run<ItemGetTypeOperation, LookupResult<CacheItemType>>(Name, new ItemGetTypeOperation(key), _timeout, cancellationToken)
            : ValueTask.FromResult(ItemGetTypeOperation.Fail(error));
    }

    /// <summary>Gets an item's value and its hash, for a later conditional write that compares the hash.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the item exists. Miss: the item does not exist, or has expired.</returns>
    public ValueTask<LookupResult<HashedValue>> GetWithHashAsync(CacheBytes key, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(key);
        return error is null
            ? _runner.Run<GetWithHashOperation, LookupResult<HashedValue>>(Name, new GetWithHashOperation(key), _timeout, cancellationToken)
            : ValueTask.FromResult(GetWithHashOperation.Fail(error));
    }

    /// <summary>Replaces the TTL of an item.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="ttl">The new time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>True: the TTL was changed. False: the TTL is unchanged, because the new TTL is not longer (or not shorter) than the remaining TTL. Miss: the
    /// item does not exist, or has expired.</returns>
    public ValueTask<LookupResult<bool>> UpdateTtlAsync(CacheBytes key, TimeSpan ttl, CancellationToken cancellationToken = default)
    {
        CacheError? error = Arguments.CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key);
        return error is null
            ? _runner.Run<UpdateTtlOperation, LookupResult<bool>>(
                Name, new UpdateTtlOperation(key, UpdateTtlChange.OverwriteTo, ttlMs), _timeout, cancellationToken)
            : ValueTask.FromResult(UpdateTtlOperation.Fail(error));
    }

    /// <summary>Replaces the TTL of an item if the new TTL is longer than the remaining TTL.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="ttl">The new time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>True: the TTL was changed. False: the TTL is unchanged, because the new TTL is not longer (or not shorter) than the remaining TTL. Miss: the
    /// item does not exist, or has expired.</returns>
    public ValueTask<LookupResult<bool>> IncreaseTtlAsync(CacheBytes key, TimeSpan ttl, CancellationToken cancellationToken = default)
    {
        CacheError? error = Arguments.CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key);
        return error is null
            ? _runner.Run<UpdateTtlOperation, LookupResult<bool>>(
                Name, new UpdateTtlOperation(key, UpdateTtlChange.IncreaseTo, ttlMs), _timeout, cancellationToken)
            : ValueTask.FromResult(UpdateTtlOperation.Fail(error));
    }

    /// <summary>Replaces the TTL of an item if the new TTL is shorter than the remaining TTL.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="ttl">The new time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>True: the TTL was changed. False: the TTL is unchanged, because the new TTL is not longer (or not shorter) than the remaining TTL. Miss: the
    /// item does not exist, or has expired.</returns>
    public ValueTask<LookupResult<bool>> DecreaseTtlAsync(CacheBytes key, TimeSpan ttl, CancellationToken cancellationToken = default)
    {
        CacheError? error = Arguments.CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key);
        return error is null
            ? _runner.Run<UpdateTtlOperation, LookupResult<bool>>(
                Name, new UpdateTtlOperation(key, UpdateTtlChange.DecreaseTo, ttlMs), _timeout, cancellationToken)
            : ValueTask.FromResult(UpdateTtlOperation.Fail(error));
    }

    /// <summary>Replaces the TTL of an item if its value begins with <paramref name="prefix"/>. If the value begins differently, the response contains its
    /// first bytes.</summary>
    /// <param name="key">The key. It must be at least 1 byte.</param>
    /// <param name="prefix">The prefix of the value, at most 64 bytes. An empty prefix matches no value.</param>
    /// <param name="ttl">The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If null, the client's default is
    /// used.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the item exists. Miss: the item does not exist, or has expired.</returns>
    public ValueTask<LookupResult<PrefixTtlUpdate>> UpdateTtlIfPrefixAsync(
        CacheBytes key,
        CacheBytes prefix,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key) ?? Arguments.CheckValue(prefix);
        return error is null
            ? _runner.Run<UpdateTtlIfPrefixOperation, LookupResult<PrefixTtlUpdate>>(
                Name, new UpdateTtlIfPrefixOperation(key, prefix, ttlMs), _timeout, cancellationToken)
            : ValueTask.FromResult(UpdateTtlIfPrefixOperation.Fail(error));
    }
}
