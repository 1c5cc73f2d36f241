// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Calls on lists.</content>
public sealed partial class Cache
{
    /// <summary>Adds an element at the front of a list, which is created if it does not exist. The client does not retry this call if it may have
    /// run.</summary>
    /// <param name="name">The list's key. It must be at least 1 byte.</param>
    /// <param name="value">The element.</param>
    /// <param name="truncateBackToSize">The maximum length of the list after the call; elements beyond it are removed from the back. 0: unlimited.</param>
    /// <param name="ttl">The time to live of the list, and whether an existing list gets it too. If null, the client's default is used, and an existing list
    /// gets it too.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Value: the number of elements in the list after the call.</returns>
    public ValueTask<CacheResult<int>> ListPushFrontAsync(
        CacheBytes name,
        CacheBytes value,
        int truncateBackToSize = 0,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl)
            ?? _invalidName
            ?? Arguments.CheckKey(name)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckCount(truncateBackToSize, "truncateBackToSize");
        return error is null
            ? _runner.Run<ListPushFrontOperation, CacheResult<int>>(
                Name, new ListPushFrontOperation(name, value, wireTtl, truncateBackToSize), _timeout, cancellationToken)
            : ValueTask.FromResult(ListPushFrontOperation.Fail(error));
    }

    /// <summary>Adds an element at the back of a list, which is created if it does not exist. The client does not retry this call if it may have run.</summary>
    /// <param name="name">The list's key. It must be at least 1 byte.</param>
    /// <param name="value">The element.</param>
    /// <param name="truncateFrontToSize">The maximum length of the list after the call; elements beyond it are removed from the front. 0: unlimited.</param>
    /// <param name="ttl">The time to live of the list, and whether an existing list gets it too. If null, the client's default is used, and an existing list
    /// gets it too.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Value: the number of elements in the list after the call.</returns>
    public ValueTask<CacheResult<int>> ListPushBackAsync(
        CacheBytes name,
        CacheBytes value,
        int truncateFrontToSize = 0,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl)
            ?? _invalidName
            ?? Arguments.CheckKey(name)
            ?? Arguments.CheckValue(value)
            ?? Arguments.CheckCount(truncateFrontToSize, "truncateFrontToSize");
        return error is null
            ? _runner.Run<ListPushBackOperation, CacheResult<int>>(
                Name, new ListPushBackOperation(name, value, wireTtl, truncateFrontToSize), _timeout, cancellationToken)
            : ValueTask.FromResult(ListPushBackOperation.Fail(error));
    }

    /// <summary>Adds elements at the front of a list and keeps their order. The client does not retry this call if it may have run.</summary>
    /// <param name="name">The list's key. It must be at least 1 byte.</param>
    /// <param name="values">The elements, in order. There may be none.</param>
    /// <param name="truncateBackToSize">The maximum length of the list after the call; elements beyond it are removed from the back. 0: unlimited.</param>
    /// <param name="ttl">The time to live of the list, and whether an existing list gets it too. If null, the client's default is used, and an existing list
    /// gets it too.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Value: the number of elements in the list after the call.</returns>
    public ValueTask<CacheResult<int>> ListConcatenateFrontAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> values,
        int truncateBackToSize = 0,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(values);
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl)
            ?? _invalidName
            ?? Arguments.CheckKey(name)
            ?? Arguments.CheckElements(all)
            ?? Arguments.CheckCount(truncateBackToSize, "truncateBackToSize");
        return error is null
            ? _runner.Run<ListConcatenateFrontOperation, CacheResult<int>>(
                Name, new ListConcatenateFrontOperation(name, all, wireTtl, truncateBackToSize), _timeout, cancellationToken)
            : ValueTask.FromResult(ListConcatenateFrontOperation.Fail(error));
    }

    /// <summary>Adds elements at the back of a list and keeps their order. The client does not retry this call if it may have run.</summary>
    /// <param name="name">The list's key. It must be at least 1 byte.</param>
    /// <param name="values">The elements, in order. There may be none.</param>
    /// <param name="truncateFrontToSize">The maximum length of the list after the call; elements beyond it are removed from the front. 0: unlimited.</param>
    /// <param name="ttl">The time to live of the list, and whether an existing list gets it too. If null, the client's default is used, and an existing list
    /// gets it too.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Value: the number of elements in the list after the call.</returns>
    public ValueTask<CacheResult<int>> ListConcatenateBackAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> values,
        int truncateFrontToSize = 0,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(values);
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl)
            ?? _invalidName
            ?? Arguments.CheckKey(name)
            ?? Arguments.CheckElements(all)
            ?? Arguments.CheckCount(truncateFrontToSize, "truncateFrontToSize");
        return error is null
            ? _runner.Run<ListConcatenateBackOperation, CacheResult<int>>(
                Name, new ListConcatenateBackOperation(name, all, wireTtl, truncateFrontToSize), _timeout, cancellationToken)
            : ValueTask.FromResult(ListConcatenateBackOperation.Fail(error));
    }

    /// <summary>Removes the first element of a list and returns it. The client does not retry this call if it may have run.</summary>
    /// <param name="name">The list's key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the list exists. Miss: the list does not exist, or has expired.</returns>
    public ValueTask<LookupResult<PoppedElement>> ListPopFrontAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<ListPopFrontOperation, LookupResult<PoppedElement>>(Name, new ListPopFrontOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(ListPopFrontOperation.Fail(error));
    }

    /// <summary>Removes the last element of a list and returns it. The client does not retry this call if it may have run.</summary>
    /// <param name="name">The list's key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the list exists. Miss: the list does not exist, or has expired.</returns>
    public ValueTask<LookupResult<PoppedElement>> ListPopBackAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<ListPopBackOperation, LookupResult<PoppedElement>>(Name, new ListPopBackOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(ListPopBackOperation.Fail(error));
    }

    /// <summary>Gets a slice of a list, in order.</summary>
    /// <param name="name">The list's key. It must be at least 1 byte.</param>
    /// <param name="start">The index of the first element; a negative index counts from the end; null: from the first element.</param>
    /// <param name="end">The index after the last element; a negative index counts from the end; null: to the last element.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the list exists, and the slice is not empty. Value: the elements. Miss: the list does not exist or has expired, or the slice is
    /// empty.</returns>
    public ValueTask<LookupResult<IReadOnlyList<CacheValue>>> ListFetchAsync(
        CacheBytes name,
        int? start = null,
        int? end = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<ListFetchOperation, LookupResult<IReadOnlyList<CacheValue>>>(
                Name, new ListFetchOperation(name, start, end), _timeout, cancellationToken)
            : ValueTask.FromResult(ListFetchOperation.Fail(error));
    }

    /// <summary>Keeps a slice of a list and removes the rest. The client does not retry this call if it may have run.</summary>
    /// <param name="name">The list's key. It must be at least 1 byte.</param>
    /// <param name="start">The index of the first element; a negative index counts from the end; null: from the first element.</param>
    /// <param name="end">The index after the last element; a negative index counts from the end; null: to the last element.</param>
    /// <param name="ttl">The new time to live of the list. Ignored if its refresh flag is false. If null, the old one is kept.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the list exists. Value: the number of elements. Miss: the list does not exist, or has expired.</returns>
    public ValueTask<LookupResult<int>> ListRetainAsync(
        CacheBytes name,
        int? start = null,
        int? end = null,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckKeptTtl(ttl, out WireTtl wireTtl) ?? _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<ListRetainOperation, LookupResult<int>>(Name, new ListRetainOperation(name, start, end, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(ListRetainOperation.Fail(error));
    }

    /// <summary>Removes every element of a list that equals a value.</summary>
    /// <param name="name">The list's key. It must be at least 1 byte.</param>
    /// <param name="value">The value to remove. Every element with exactly these bytes is removed.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the list exists. Value: the number of elements. Miss: the list does not exist, or has expired.</returns>
    public ValueTask<LookupResult<int>> ListRemoveAsync(CacheBytes name, CacheBytes value, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckValue(value);
        return error is null
            ? _runner.Run<ListRemoveOperation, LookupResult<int>>(Name, new ListRemoveOperation(name, value), _timeout, cancellationToken)
            : ValueTask.FromResult(ListRemoveOperation.Fail(error));
    }

    /// <summary>Removes ranges of a list. The client does not retry this call if it may have run.</summary>
    /// <param name="name">The list's key. It must be at least 1 byte.</param>
    /// <param name="ranges">The ranges, which may overlap. There may be none.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the list exists. Value: the number of elements. Miss: the list does not exist, or has expired.</returns>
    public ValueTask<LookupResult<int>> ListEraseAsync(CacheBytes name, IReadOnlyList<ListRange> ranges, CancellationToken cancellationToken = default)
    {
        ListRange[] all = Arguments.Read(ranges);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckRanges(all);
        return error is null
            ? _runner.Run<ListEraseOperation, LookupResult<int>>(Name, new ListEraseOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(ListEraseOperation.Fail(error));
    }

    /// <summary>Gets the number of elements of a list.</summary>
    /// <param name="name">The list's key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the list exists. Value: the number of elements. Miss: the list does not exist, or has expired.</returns>
    public ValueTask<LookupResult<int>> ListLengthAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<ListLengthOperation, LookupResult<int>>(Name, new ListLengthOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(ListLengthOperation.Fail(error));
    }
}
