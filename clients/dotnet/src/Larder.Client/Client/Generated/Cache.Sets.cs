// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Calls on sets.</content>
public sealed partial class Cache
{
    /// <summary>Gets all elements of a set, in no particular order.</summary>
    /// <param name="name">The set's key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the set exists. Value: the elements. Miss: the set does not exist, or has expired.</returns>
    public ValueTask<LookupResult<IReadOnlyList<CacheValue>>> SetFetchAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<SetFetchOperation, LookupResult<IReadOnlyList<CacheValue>>>(Name, new SetFetchOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(SetFetchOperation.Fail(error));
    }

    /// <summary>Gets distinct random elements of a set.</summary>
    /// <param name="name">The set's key. It must be at least 1 byte.</param>
    /// <param name="limit">The maximum number of elements. If it is 0, the call only checks whether the set exists.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the set exists. Value: the elements. Miss: the set does not exist, or has expired.</returns>
    public ValueTask<LookupResult<IReadOnlyList<CacheValue>>> SetSampleAsync(CacheBytes name, long limit, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckCount(limit, "limit");
        return error is null
            ? _runner.Run<SetSampleOperation, LookupResult<IReadOnlyList<CacheValue>>>(Name, new SetSampleOperation(name, limit), _timeout, cancellationToken)
            : ValueTask.FromResult(SetSampleOperation.Fail(error));
    }

    /// <summary>Adds elements to a set, which is created if it does not exist.</summary>
    /// <param name="name">The set's key. It must be at least 1 byte.</param>
    /// <param name="elements">The elements. There may be none.</param>
    /// <param name="ttl">The time to live of the set, and whether an existing set gets it too. If null, the client's default is used, and an existing set gets
    /// it too.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> SetUnionAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(elements);
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl) ?? _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckElements(all);
        return error is null
            ? _runner.Run<SetUnionOperation, CacheResult>(Name, new SetUnionOperation(name, all, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(SetUnionOperation.Fail(error));
    }

    /// <summary>Removes elements from a set. Succeeds even if they do not exist.</summary>
    /// <param name="name">The set's key. It must be at least 1 byte.</param>
    /// <param name="elements">The elements. There may be none.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>True: the set exists. False: the set does not exist, or has expired.</returns>
    public ValueTask<CacheResult<bool>> SetDifferenceAsync(CacheBytes name, IReadOnlyList<CacheBytes> elements, CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(elements);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckElements(all);
        return error is null
            ? _runner.Run<SetDifferenceOperation, CacheResult<bool>>(Name, new SetDifferenceOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(SetDifferenceOperation.Fail(error));
    }

    /// <summary>Replaces a set with the given elements that the set does not contain. The client does not retry this call if it may have run.</summary>
    /// <param name="name">The set's key. It must be at least 1 byte.</param>
    /// <param name="elements">The elements. There may be none.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>True: the set exists. False: the set does not exist, or has expired.</returns>
    public ValueTask<CacheResult<bool>> SetDifferenceFromAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(elements);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckElements(all);
        return error is null
            ? _runner.Run<SetDifferenceFromOperation, CacheResult<bool>>(Name, new SetDifferenceFromOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(SetDifferenceFromOperation.Fail(error));
    }

    /// <summary>Checks which elements a set contains.</summary>
    /// <param name="name">The set's key. It must be at least 1 byte.</param>
    /// <param name="elements">The elements, in the order of the results.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the set exists. Value: whether the set contains each element, in the order of the elements. Miss: the set does not exist, or has
    /// expired.</returns>
    public ValueTask<LookupResult<IReadOnlyList<bool>>> SetContainsAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(elements);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckElements(all);
        return error is null
            ? _runner.Run<SetContainsOperation, LookupResult<IReadOnlyList<bool>>>(Name, new SetContainsOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(SetContainsOperation.Fail(error));
    }

    /// <summary>Gets the number of elements of a set.</summary>
    /// <param name="name">The set's key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the set exists. Value: the number of elements. Miss: the set does not exist, or has expired.</returns>
    public ValueTask<LookupResult<int>> SetLengthAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<SetLengthOperation, LookupResult<int>>(Name, new SetLengthOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(SetLengthOperation.Fail(error));
    }

    /// <summary>Removes distinct random elements of a set and returns them. The client does not retry this call if it may have run.</summary>
    /// <param name="name">The set's key. It must be at least 1 byte.</param>
    /// <param name="count">The maximum number of elements: 1 or more.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the set exists. Value: the elements. Miss: the set does not exist, or has expired.</returns>
    public ValueTask<LookupResult<IReadOnlyList<CacheValue>>> SetPopAsync(CacheBytes name, int count = 1, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckCount(count, "count");
        return error is null
            ? _runner.Run<SetPopOperation, LookupResult<IReadOnlyList<CacheValue>>>(Name, new SetPopOperation(name, count), _timeout, cancellationToken)
            : ValueTask.FromResult(SetPopOperation.Fail(error));
    }
}
