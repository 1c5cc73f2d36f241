namespace Larder.Server.Console.Api;

/// <summary>What the page shows and changes of the caches, wherever their items are. Each throws <see cref="ApiException"/> where it cannot be done.</summary>
internal interface IConsoleStore
{
    /// <summary>Every cache, by name.</summary>
    IReadOnlyList<CacheAnswer> Caches();

    /// <summary>Makes a cache, with a quota in bytes where that is not 0.</summary>
    Task MakeAsync(string cache, long maxBytes);

    /// <summary>Empties a cache.</summary>
    Task FlushAsync(string cache);

    /// <summary>Deletes a cache with all it holds.</summary>
    Task DeleteAsync(string cache);

    /// <summary>Looks at an item; null where there is none.</summary>
    Task<ItemAnswer?> LookAsync(ItemRequest request);

    /// <summary>Looks at some of what a collection holds; null where there is no item.</summary>
    Task<ElementsAnswer?> LookAtElementsAsync(ElementsRequest request);

    /// <summary>Deletes an item, whether it is there or not.</summary>
    Task DeleteItemAsync(ItemRequest request);
}
