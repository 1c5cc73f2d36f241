namespace Larder.Server.Console.Api;

/// <summary>Access of the console's page to the caches, wherever their items are stored. All methods throw <see cref="ApiException"/> on failure.</summary>
internal interface IConsoleStore
{
    /// <summary>Returns all caches, ordered by name.</summary>
    IReadOnlyList<CacheAnswer> Caches();

    /// <summary>Creates a cache with a quota in bytes, or without one if it is 0.</summary>
    Task MakeAsync(string cache, long maxBytes);

    Task FlushAsync(string cache);

    Task DeleteAsync(string cache);

    /// <summary>Returns an item; null if it does not exist.</summary>
    Task<ItemAnswer?> LookAsync(ItemRequest request);

    /// <summary>Returns a page of a collection; null if the key does not exist.</summary>
    Task<ElementsAnswer?> ReadElementsPageAsync(ElementsRequest request);

    /// <summary>Deletes an item; does nothing if it does not exist.</summary>
    Task DeleteItemAsync(ItemRequest request);
}
