// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Calls on dictionaries.</content>
public sealed partial class Cache
{
    /// <summary>Gets fields of a dictionary.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="fields">The fields, in the order of the results.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<DictionaryGetResponse> DictionaryGetAsync(CacheBytes name, IReadOnlyList<CacheBytes> fields, CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(fields);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckFields(all);
        return error is null
            ? _runner.Run<DictionaryGetOperation, DictionaryGetResponse>(Name, new DictionaryGetOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryGetOperation.Fail(error));
    }

    /// <summary>Gets all fields of a dictionary, in no particular order.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<DictionaryFetchResponse> DictionaryFetchAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<DictionaryFetchOperation, DictionaryFetchResponse>(Name, new DictionaryFetchOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryFetchOperation.Fail(error));
    }

    /// <summary>Stores fields of a dictionary, which is created if it does not exist. If a field occurs twice, its last value wins.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="items">The fields with their values, stored in this order. May be empty.</param>
    /// <param name="ttl">The time to live of the dictionary, and whether an existing one gets it too; null: the client's default, which an existing one gets
    /// too.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<DictionarySetResponse> DictionarySetAsync(
        CacheBytes name,
        IReadOnlyList<DictionaryItem> items,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        DictionaryItem[] all = Arguments.Read(items);
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl) ?? _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckItems(all);
        return error is null
            ? _runner.Run<DictionarySetOperation, DictionarySetResponse>(Name, new DictionarySetOperation(name, all, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionarySetOperation.Fail(error));
    }

    /// <summary>Adds to an integer field, which is created with the value 0 if it does not exist. Not retried if it may have run.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="field">The field: at least one byte.</param>
    /// <param name="amount">The amount to add, which may be negative or 0.</param>
    /// <param name="ttl">The time to live of the dictionary, and whether an existing one gets it too; null: the client's default, which an existing one gets
    /// too.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<DictionaryIncrementResponse> DictionaryIncrementAsync(
        CacheBytes name,
        CacheBytes field,
        long amount = 1,
        CollectionTtl? ttl = null,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckTtl(ttl, out WireTtl wireTtl) ?? _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckField(field);
        return error is null
            ? _runner.Run<DictionaryIncrementOperation, DictionaryIncrementResponse>(
                Name, new DictionaryIncrementOperation(name, field, amount, wireTtl), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryIncrementOperation.Fail(error));
    }

    /// <summary>Deletes a dictionary; it need not exist.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<DictionaryDeleteResponse> DictionaryDeleteAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<DictionaryDeleteOperation, DictionaryDeleteResponse>(Name, new DictionaryDeleteOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryDeleteOperation.Fail(error));
    }

    /// <summary>Removes fields of a dictionary; they need not exist.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="fields">The fields; they need not exist.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<DictionaryDeleteResponse> DictionaryRemoveAsync(
        CacheBytes name,
        IReadOnlyList<CacheBytes> fields,
        CancellationToken cancellationToken = default)
    {
        CacheBytes[] all = Arguments.Read(fields);
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckFields(all);
        return error is null
            ? _runner.Run<DictionaryRemoveOperation, DictionaryDeleteResponse>(Name, new DictionaryRemoveOperation(name, all), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryRemoveOperation.Fail(error));
    }

    /// <summary>Gets the number of fields of a dictionary.</summary>
    /// <param name="name">The dictionary's key: at least one byte.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<DictionaryLengthResponse> DictionaryLengthAsync(CacheBytes name, CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name);
        return error is null
            ? _runner.Run<DictionaryLengthOperation, DictionaryLengthResponse>(Name, new DictionaryLengthOperation(name), _timeout, cancellationToken)
            : ValueTask.FromResult(DictionaryLengthOperation.Fail(error));
    }
}
