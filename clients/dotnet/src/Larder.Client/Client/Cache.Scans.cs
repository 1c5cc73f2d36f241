using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Scans of keys and of collections.</content>
public sealed partial class Cache
{
    /// <summary>
    /// Gets a page of the cache's keys. Repeat the call with the page's cursor until the cursor is empty. A key that exists during the whole scan is on at
    /// least one page. A page may have fewer keys than requested, or no keys. The call fails with <see cref="CacheErrorCode.InvalidArgument"/> if the cursor
    /// belongs to another cache or the server has restarted since it returned the cursor. The call fails with <see cref="CacheErrorCode.FailedPrecondition"/>
    /// if slots have moved to other nodes of the fleet. In both cases, start again without a cursor. The call fails with
    /// <see cref="CacheErrorCode.Unknown"/> if the server does not support scans, for example because it implements only the public protocol.
    /// </summary>
    /// <param name="prefix">The prefix of the keys to return. The default is empty: all keys.</param>
    /// <param name="type">The type of the items whose keys are returned. The default is null: all types.</param>
    /// <param name="cursor">The cursor that the previous page returned. It must be empty for the first page.</param>
    /// <param name="count">The approximate number of keys on a page. The default is 0: the server's default of 100. The server returns at most 4,096.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<CacheResult<KeyPage>> ScanKeysAsync(
        CacheBytes prefix = default,
        CacheItemType? type = null,
        ReadOnlyMemory<byte> cursor = default,
        int count = 0,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckScan(prefix, count);
        if (error is not null)
        {
            return ValueTask.FromResult(ScanKeysOperation.Fail(error));
        }

        ScanKeysOperation operation = new(prefix, type, cursor, (uint)count);
        return _runner.Run<ScanKeysOperation, CacheResult<KeyPage>>(Name, operation, _timeout, cancellationToken);
    }

    /// <summary>
    /// Gets a page of a collection of any size. Repeat the call with the page's cursor until the cursor is empty. A field or element that exists during the
    /// whole scan is on at least one page, and may be on several pages. For a list behind a gateway, this is guaranteed only if no elements are added or
    /// removed before the position that the scan has reached. The call fails with <see cref="CacheErrorCode.InvalidArgument"/> if the cursor belongs to another
    /// key or the server has restarted since it returned the cursor. The call fails with <see cref="CacheErrorCode.FailedPrecondition"/> if a collection of
    /// another type has replaced the collection, or if the collection has moved to another node of the fleet. In these cases, start again without a cursor. The
    /// call also fails with <see cref="CacheErrorCode.FailedPrecondition"/> if the value is not a collection. It fails with
    /// <see cref="CacheErrorCode.Unknown"/> if the server does not support scans, for example because it implements only the public protocol.
    /// </summary>
    /// <param name="name">The collection's key: at least one byte.</param>
    /// <param name="cursor">The cursor that the previous page returned. It must be empty for the first page.</param>
    /// <param name="count">
    /// The approximate number of entries on a page. The default is 0: the server's default of 100. The server returns at most 4,096.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public ValueTask<LookupResult<CollectionPage>> ScanItemsAsync(
        CacheBytes name,
        ReadOnlyMemory<byte> cursor = default,
        int count = 0,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = _invalidName ?? Arguments.CheckKey(name) ?? Arguments.CheckScan(default, count);
        return error is null
            ? _runner.Run<ScanItemsOperation, LookupResult<CollectionPage>>(
                Name, new ScanItemsOperation(name, cursor, (uint)count), _timeout, cancellationToken)
            : ValueTask.FromResult(ScanItemsOperation.Fail(error));
    }
}
