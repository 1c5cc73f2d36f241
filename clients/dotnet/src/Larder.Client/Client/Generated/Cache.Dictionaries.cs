// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Calls on dictionaries.</content>
public sealed partial class Cache
{
    /// <summary>Gets fields of a dictionary.</summary>
    /// <param name="name">The dictionary's key. It must be at least 1 byte.</param>
    /// <param name="fields">The fields, in the order of the results.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the dictionary exists. Value: one entry for each requested field, in the same order; null for each missing one. Miss: the dictionary does
    /// not exist, or has expired.</returns>
    public ValueTask<LookupResult<IReadOnlyList<CacheValue?>>> DictionaryGetAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> fields,
        CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(fields);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckFields(all);
        return error is null
            ? _runner.Run<DictionaryGetOperation, LookupResult<IReadOnlyList<CacheValue?>>>(
                Name, new DictionaryGetOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryGetOperation.Fail(error));
    }

    /// <summary>Gets all fields of a dictionary, in no particular order.</summary>
    /// <param name="name">The dictionary's key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the dictionary exists. Value: all fields, read atomically. Miss: the dictionary does not exist, or has expired.</returns>
    public ValueTask<LookupResult<IReadOnlyList<DictionaryField>>> DictionaryFetchAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<DictionaryFetchOperation, LookupResult<IReadOnlyList<DictionaryField>>>(
                Name, new DictionaryFetchOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryFetchOperation.Fail(error));
    }

    /// <summary>Stores fields of a dictionary, which is created if it does not exist. If a field occurs twice, its last value wins.</summary>
    /// <param name="name">The dictionary's key. It must be at least 1 byte.</param>
    /// <param name="items">The fields with their values, stored in this order. There may be none.</param>
    /// <param name="ttl">The time to live of the dictionary, and whether an existing dictionary gets it too. If null, the client's default is used, and an
    /// existing dictionary gets it too.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> DictionarySetAsync(
        CacheBytes name,
        IReadOnlyList<DictionaryItem> items,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        DictionaryItem[] all = Arguments.Read(items);
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl) ?? _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckItems(all);
        return error is null
            ? _runner.Run<DictionarySetOperation, CacheResult>(Name, new DictionarySetOperation(name, all, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionarySetOperation.Fail(error));
    }

    /// <summary>Adds to an integer field, which is created with the value 0 if it does not exist. The client does not retry this call if it may have
    /// run.</summary>
    /// <param name="name">The dictionary's key. It must be at least 1 byte.</param>
    /// <param name="field">The name of the field: at least one byte.</param>
    /// <param name="amount">The amount to add, which may be negative or 0.</param>
    /// <param name="ttl">The time to live of the dictionary, and whether an existing dictionary gets it too. If null, the client's default is used, and an
    /// existing dictionary gets it too.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Value: the field's value after the increment.</returns>
    public ValueTask<CacheResult<long>> DictionaryIncrementAsync(
        CacheBytes name,
        CacheBytes field,
        long amount = 1,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl) ?? _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckField(field);
        return error is null
            ? _runner.Run<DictionaryIncrementOperation, CacheResult<long>>(
                Name, new DictionaryIncrementOperation(name, field, amount, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryIncrementOperation.Fail(error));
    }

    /// <summary>Deletes a dictionary. Succeeds even if it does not exist.</summary>
    /// <param name="name">The dictionary's key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> DictionaryDeleteAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<DictionaryDeleteOperation, CacheResult>(Name, new DictionaryDeleteOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryDeleteOperation.Fail(error));
    }

    /// <summary>Removes fields of a dictionary. Succeeds even if they do not exist.</summary>
    /// <param name="name">The dictionary's key. It must be at least 1 byte.</param>
    /// <param name="fields">The fields, which need not exist.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult> DictionaryRemoveAsync(CacheBytes name, IReadOnlyList<CacheBytes> fields, CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(fields);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckFields(all);
        return error is null
            ? _runner.Run<DictionaryRemoveOperation, CacheResult>(Name, new DictionaryRemoveOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryRemoveOperation.Fail(error));
    }

    /// <summary>Gets the number of fields of a dictionary.</summary>
    /// <param name="name">The dictionary's key. It must be at least 1 byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Hit: the dictionary exists. Value: the number of elements. Miss: the dictionary does not exist, or has expired.</returns>
    public ValueTask<LookupResult<int>> DictionaryLengthAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<DictionaryLengthOperation, LookupResult<int>>(Name, new DictionaryLengthOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryLengthOperation.Fail(error));
    }
}
