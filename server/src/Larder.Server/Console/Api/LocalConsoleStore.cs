using Larder.Server.Scans;
using Larder.Server.Snapshots;
using Larder.Store;
using Larder.Store.Collections;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console.Api;

/// <summary>Gives the console's page access to the caches of this process.</summary>
internal sealed class LocalConsoleStore(CacheStore store, SnapshotKeeper? snapshots) : IConsoleStore
{
    public IReadOnlyList<CacheAnswer> Caches() =>
    [
        .. store.GetStatistics().Caches.OrderBy(cache => cache.Name, StringComparer.Ordinal)
            .Select(cache => new CacheAnswer(cache.Name, StatsReader.ReadCache(cache))),
    ];

    public Task MakeAsync(string cache, long maxBytes)
    {
        if (!store.IsQuota(maxBytes))
        {
            throw new ApiException(
                StatusCodes.Status400BadRequest,
                $"the quota must be 0 (no quota) or at least {store.MinQuotaBytes} bytes (twice the maximum item size)");
        }

        try
        {
            return store.CreateCache(cache, maxBytes) ? Task.CompletedTask : throw Exists(cache);
        }
        catch (ArgumentException)
        {
            throw new ApiException(StatusCodes.Status400BadRequest, "a cache name must be valid Unicode without unpaired surrogates");
        }
        catch (InvalidOperationException full)
        {
            throw new ApiException(StatusCodes.Status409Conflict, full.Message);
        }
    }

    public Task FlushAsync(string cache) =>
        store.FlushCache(cache) ? NotedAsync(cache, isDeleted: false) : throw Unknown(cache);

    public Task DeleteAsync(string cache) =>
        store.DeleteCache(cache) ? NotedAsync(cache, isDeleted: true) : throw Unknown(cache);

    public Task<ItemAnswer?> LookAsync(ItemRequest request)
    {
        Cache cache = store.Find(request.Cache) ?? throw Unknown(request.Cache);
        byte[] value = new byte[ConsoleApi.MaxValueBytes];
        return Task.FromResult(cache.Peek(request.Key, value) is not { } item ? null
            : item.Type == ItemType.Scalar ? new ItemAnswer(ItemTypeName.Of(item.Type), item.RemainingMs, item.ValueBytes, value[..item.CopiedBytes])
            : new ItemAnswer(ItemTypeName.Of(item.Type), item.RemainingMs, Bytes: null, Value: null));
    }

    public Task<ElementsAnswer?> ReadElementsPageAsync(ElementsRequest request)
    {
        Cache cache = store.Find(request.Cache) ?? throw Unknown(request.Cache);
        ItemType type = ItemTypeName.ParseCollection(request.Type);
        return Task.FromResult(type is ItemType.List or ItemType.SortedSet ? RangePage(cache, request, type) : ChosenPage(cache, request, type));
    }

    public Task DeleteItemAsync(ItemRequest request)
    {
        (store.Find(request.Cache) ?? throw Unknown(request.Cache)).Delete(request.Key);
        return Task.CompletedTask;
    }

    /// <summary>Creates the exception for a missing cache.</summary>
    public static ApiException Unknown(string cache) => new(StatusCodes.Status404NotFound, $"cache '{cache}' does not exist");

    /// <summary>Creates the exception for a cache that already exists.</summary>
    public static ApiException Exists(string cache) => new(StatusCodes.Status409Conflict, $"cache '{cache}' already exists");

    private static ElementsAnswer? RangePage(Cache cache, ElementsRequest request, ItemType type)
    {
        uint first = PlaceCursor.Read(request.Cursor);
        ShownElements shown = new(type);
        return IsThere(cache.PeekRange(request.Key, type, first, ConsoleApi.MaxElements, ref shown, out long count))
            ? shown.ToAnswer(count, first)
            : null;
    }

    private static ElementsAnswer? ChosenPage(Cache cache, ElementsRequest request, ItemType type)
    {
        if (!IsThere(cache.PeekItems(request.Key, request.Cursor, ConsoleApi.MaxElements, out ElementPage? page))
            || !IsThere(cache.PeekLength(request.Key, type, out long count)))
        {
            return null;
        }

        ShownElements shown = new(type);
        shown.Add(page!.Type == type ? page : throw ApiException.OtherType());
        return shown.ToAnswer(count, page.Cursor);
    }

    private static bool IsThere(CollectionOutcome outcome) => outcome switch
    {
        CollectionOutcome.Ok => true,
        CollectionOutcome.WrongType => throw ApiException.OtherType(),
        CollectionOutcome.ForeignCursor => throw ApiException.OfScan(ScanErrors.ForeignItemCursor),
        _ => false,
    };

    private Task NotedAsync(string cache, bool isDeleted) => snapshots?.NoteFlushAsync(cache, isDeleted) ?? Task.CompletedTask;
}
