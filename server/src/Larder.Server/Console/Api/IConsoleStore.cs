namespace Larder.Server.Console.Api;

/// <summary>
/// Gives the console's page access to the caches, whether this process or a cluster stores their items. All methods throw <see cref="ApiException"/> on
/// failure.
/// </summary>
internal interface IConsoleStore
{
    /// <summary>Returns all caches, ordered by name.</summary>
    IReadOnlyList<CacheAnswer> Caches();

    /// <summary>Creates a cache with the given quota in bytes. A quota of 0 means unlimited.</summary>
    Task MakeAsync(string cache, long maxBytes);

    Task FlushAsync(string cache);

    Task DeleteAsync(string cache);

    /// <summary>Returns an item; null if it does not exist.</summary>
    Task<ItemAnswer?> LookAsync(ItemRequest request);

    /// <summary>Returns a page of a collection; null if the key does not exist.</summary>
    Task<ElementsAnswer?> ReadElementsPageAsync(ElementsRequest request);

    /// <summary>Deletes an item. Does nothing if the item does not exist.</summary>
    Task DeleteItemAsync(ItemRequest request);
}
