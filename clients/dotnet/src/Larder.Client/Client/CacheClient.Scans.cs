using Larder.Client.Operations;

namespace Larder.Client;

/// <content>Which keys there are, and what a collection holds.</content>
public sealed partial class CacheClient
{
    /// <summary>
    /// Asks for a page of a cache's keys. Call it again with the page's cursor until that is empty: every key that is there from the first page to the last is
    /// on one of them at least. A page may have fewer keys than asked for, or none. <see cref="CacheErrorCode.InvalidArgument"/> for a cursor that is not of
    /// this cache, or of the server before a restart, and <see cref="CacheErrorCode.FailedPrecondition"/> where a fleet's slots moved: begin again, without a
    /// cursor. <see cref="CacheErrorCode.Unknown"/> from a server that has no such call, as those of the public protocol alone.
    /// </summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="prefix">What the keys begin with; null or empty: any.</param>
    /// <param name="type">What the items hold; null: anything.</param>
    /// <param name="cursor">The cursor of the page before; empty: the beginning.</param>
    /// <param name="count">Keys of a page, about; 0: the server's default, 100. A server has a most of its own, 4,096.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ScanKeysResponse> ScanKeysAsync(
        string cache,
        CacheBytes prefix = default,
        CacheItemType? type = null,
        ReadOnlyMemory<byte> cursor = default,
        int count = 0,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckCache(cache) ?? Arguments.CheckScan(prefix, count);
        if (error is not null)
        {
            return ValueTask.FromResult(ScanKeysOperation.Fail(error));
        }

        ScanKeysOperation operation = new(prefix, type, cursor, (uint)count);
        return _runner.Run<ScanKeysOperation, ScanKeysResponse>(cache, operation, _timeout, cancellationToken);
    }

    /// <summary>
    /// Asks for a page of what a collection holds, however large it is. Call it again with the page's cursor until that is empty: every field and every
    /// element that is there from the first page to the last is on one of them at least, and may be on several. Of a list that holds through a server that
    /// holds its items by itself; behind a fleet where nothing is put before what was read, or taken from there.
    /// <see cref="CacheErrorCode.InvalidArgument"/> for a cursor that is not of this key, or of the server before a restart, and
    /// <see cref="CacheErrorCode.FailedPrecondition"/> for a value that is no collection, and where another type or another node of a fleet has taken its
    /// place: begin again, without a cursor. <see cref="CacheErrorCode.Unknown"/> from a server that has no such call, as those of the public protocol alone.
    /// </summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="name">The collection's key: at least one byte.</param>
    /// <param name="cursor">The cursor of the page before; empty: the beginning.</param>
    /// <param name="count">Fields or elements of a page, about; 0: the server's default, 100. A server has a most of its own, 4,096.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ScanItemsResponse> ScanItemsAsync(
        string cache,
        CacheBytes name,
        ReadOnlyMemory<byte> cursor = default,
        int count = 0,
        CancellationToken cancellationToken = default)
    {
        CacheError? error = CheckCache(cache) ?? Arguments.CheckKey(name) ?? Arguments.CheckScan(default, count);
        return error is null
            ? _runner.Run<ScanItemsOperation, ScanItemsResponse>(cache, new ScanItemsOperation(name, cursor, (uint)count), _timeout, cancellationToken)
            : ValueTask.FromResult(ScanItemsOperation.Fail(error));
    }
}
