// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Calls on sets.</content>
public sealed partial class Cache
{
    /// <summary>Gets all elements of a set, in no order.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetFetchResponse> SetFetchAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<SetFetchOperation, SetFetchResponse>(Name, new SetFetchOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(SetFetchOperation.Fail(error));
    }

    /// <summary>Gets some elements of a set, each once; which, chance decides.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="limit">How many elements at most; 0 asks whether there is such a set.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetSampleResponse> SetSampleAsync(CacheBytes name, long limit, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckCount(limit, "limit");
        return error is null
            ? _runner.Run<SetSampleOperation, SetSampleResponse>(Name, new SetSampleOperation(name, limit), _timeout, cancellationToken)
            : ValueTask.FromResult(SetSampleOperation.Fail(error));
    }

    /// <summary>Adds elements to a set, which is made where it is missing.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements; may be none.</param>
    /// <param name="ttl">The set's time to live, and whether one that is there gets it too; null: the client's default, and it does.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetUnionResponse> SetUnionAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(elements);
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl) ?? _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckElements(all);
        return error is null
            ? _runner.Run<SetUnionOperation, SetUnionResponse>(Name, new SetUnionOperation(name, all, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(SetUnionOperation.Fail(error));
    }

    /// <summary>Removes elements from a set; they need not exist.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements; may be none.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetDifferenceResponse> SetDifferenceAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(elements);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckElements(all);
        return error is null
            ? _runner.Run<SetDifferenceOperation, SetDifferenceResponse>(Name, new SetDifferenceOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(SetDifferenceOperation.Fail(error));
    }

    /// <summary>Makes a set those of some elements that it does not hold. Never sent twice where it may have run.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements; may be none.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetDifferenceResponse> SetDifferenceFromAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> elements,
        CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(elements);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckElements(all);
        return error is null
            ? _runner.Run<SetDifferenceFromOperation, SetDifferenceResponse>(Name, new SetDifferenceFromOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(SetDifferenceFromOperation.Fail(error));
    }

    /// <summary>Asks which of some elements are in a set.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="elements">The elements, in the order in which they are to be answered.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetContainsResponse> SetContainsAsync(CacheBytes name, IReadOnlyList<CacheBytes> elements, CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(elements);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckElements(all);
        return error is null
            ? _runner.Run<SetContainsOperation, SetContainsResponse>(Name, new SetContainsOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(SetContainsOperation.Fail(error));
    }

    /// <summary>Asks how many elements a set has.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetLengthResponse> SetLengthAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<SetLengthOperation, SetLengthResponse>(Name, new SetLengthOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(SetLengthOperation.Fail(error));
    }

    /// <summary>Gets some elements of a set and removes them; which, chance decides. Never sent twice where it may have run.</summary>
    /// <param name="name">The set's key: at least one byte.</param>
    /// <param name="count">How many elements at most: 1 or more.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<SetPopResponse> SetPopAsync(CacheBytes name, int count = 1, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckCount(count, "count");
        return error is null
            ? _runner.Run<SetPopOperation, SetPopResponse>(Name, new SetPopOperation(name, count), _timeout, cancellationToken)
            : ValueTask.FromResult(SetPopOperation.Fail(error));
    }
}
