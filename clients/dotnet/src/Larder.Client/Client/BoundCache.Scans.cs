namespace Larder.Client;

/// <content>Which keys there are, and what a collection holds.</content>
public sealed partial class BoundCache
{
    /// <summary>Asks for a page of the cache's keys: <see cref="CacheClient.ScanKeysAsync"/>.</summary>
    /// <param name="prefix">What the keys begin with; null or empty: any.</param>
    /// <param name="type">What the items hold; null: anything.</param>
    /// <param name="cursor">The cursor of the page before; empty: the beginning.</param>
    /// <param name="count">Keys of a page, about; 0: the server's default, 100. A server has a most of its own, 4,096.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ScanKeysResponse> ScanKeysAsync(
        CacheBytes prefix = default,
        CacheItemType? type = null,
        ReadOnlyMemory<byte> cursor = default,
        int count = 0,
        CancellationToken cancellationToken = default) => _client.ScanKeysAsync(Name, prefix, type, cursor, count, cancellationToken);

    /// <summary>Asks for a page of what a collection holds: <see cref="CacheClient.ScanItemsAsync"/>.</summary>
    /// <param name="name">The collection's key: at least one byte.</param>
    /// <param name="cursor">The cursor of the page before; empty: the beginning.</param>
    /// <param name="count">Fields or elements of a page, about; 0: the server's default, 100. A server has a most of its own, 4,096.</param>
    /// <param name="cancellationToken">Frees the caller at once.</param>
    public ValueTask<ScanItemsResponse> ScanItemsAsync(
        CacheBytes name,
        ReadOnlyMemory<byte> cursor = default,
        int count = 0,
        CancellationToken cancellationToken = default) => _client.ScanItemsAsync(Name, name, cursor, count, cancellationToken);
}
