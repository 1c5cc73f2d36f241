using System.Text;
using Larder.Redis;
using Larder.Server.Fleet;
using Larder.Server.Scans;
using Larder.Store;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console.Api;

/// <summary>Gives the console's page access to the caches of the fleet, through the directory that all gateways share.</summary>
internal sealed class RemoteConsoleStore(RemoteGateway gateway) : IConsoleStore
{
    private const long NoSuchKey = -2;

    private static readonly TimeSpan s_longestScan = TimeSpan.FromSeconds(5);

    private readonly FleetItemScanner _scanner = new(gateway);

    public IReadOnlyList<CacheAnswer> Caches() => [.. gateway.Directory.Names.Select(name => new CacheAnswer(name, Stats: null))];

    public Task MakeAsync(string cache, long maxBytes) => maxBytes == 0
        ? ChangeAsync(DirectoryChange.Create, cache)
        : throw new ApiException(StatusCodes.Status400BadRequest, "caches of a fleet cannot have a quota, because their items are in the cluster");

    public Task FlushAsync(string cache) => ChangeAsync(DirectoryChange.Flush, cache);

    public Task DeleteAsync(string cache) => ChangeAsync(DirectoryChange.Delete, cache);

    public async Task<ItemAnswer?> LookAsync(ItemRequest request)
    {
        RemoteCache cache = Find(request.Cache);
        long remainingMs = await AskAsync("PTTL", cache, request.Key, static (ref RespReader reply) => reply.Integer).ConfigureAwait(false);
        if (remainingMs == NoSuchKey)
        {
            return null;
        }

        string type = await AskAsync("TYPE", cache, request.Key, static (ref RespReader reply) => Encoding.ASCII.GetString(reply.Bytes)).ConfigureAwait(false);
        if (type != "string")
        {
            return new ItemAnswer(NameOf(type), remainingMs, Bytes: null, Value: null);
        }

        long bytes = await AskAsync("STRLEN", cache, request.Key, static (ref RespReader reply) => reply.Integer).ConfigureAwait(false);
        byte[] value = await AskAsync(
            "GETRANGE",
            cache,
            request.Key,
            static (ref RespReader reply) => reply.Bytes.ToArray(),
            0,
            ConsoleApi.MaxValueBytes - 1).ConfigureAwait(false);
        return new ItemAnswer(NameOf(type), remainingMs, Math.Max(bytes, value.Length), value);
    }

    public Task<ElementsAnswer?> ReadElementsPageAsync(ElementsRequest request)
    {
        RemoteCache cache = Find(request.Cache);
        ItemType type = ItemTypeName.ParseCollection(request.Type);
        return type is ItemType.List or ItemType.SortedSet ? RangePageAsync(cache, request, type) : ChosenPageAsync(cache, request, type);
    }

    public Task DeleteItemAsync(ItemRequest request) => AskAsync("UNLINK", Find(request.Cache), request.Key, static (ref RespReader reply) => reply.Integer);

    private async Task<ElementsAnswer?> RangePageAsync(RemoteCache cache, ElementsRequest request, ItemType type)
    {
        uint first = PlaceCursor.Read(request.Cursor);
        FleetQuery<ElementsAnswer?> query = new((ref RespReader reply) => ReadRange(ref reply, type, first));
        query.BeginScript(FleetScripts.PeekRange, 1, 4);
        query.AddKey(cache.Prefix, request.Key);
        query.Add(EngineType.NameOf(type));
        query.Add(first);
        query.Add(ConsoleApi.MaxElements);
        query.Add(ConsoleApi.MaxValueBytes);
        query.IsIdempotent = true;
        return await SendAsync(query).ConfigureAwait(false);
    }

    private static ElementsAnswer? ReadRange(ref RespReader reply, ItemType type, uint first)
    {
        if (reply.Kind != RespKind.Array)
        {
            return reply.Bytes.SequenceEqual("none"u8) ? null : throw ApiException.OtherType();
        }

        bool isScored = type == ItemType.SortedSet;
        int elements = (reply.Count - 1) / (isScored ? 3 : 2);
        reply.Read();
        long count = reply.Integer;
        ShownElements shown = new(type);
        for (int left = elements; left > 0; left--)
        {
            reply.Read();
            long bytes = reply.Integer;
            reply.Read();
            ReadOnlySpan<byte> beginning = reply.Bytes;
            double score = 0;
            if (isScored)
            {
                reply.Read();
                _ = reply.TryGetDouble(out score);
            }

            shown.Add(beginning, bytes, default, score);
        }

        return shown.ToAnswer(count, first);
    }

    private async Task<ElementsAnswer?> ChosenPageAsync(RemoteCache cache, ElementsRequest request, ItemType type)
    {
        ItemScanOutcome outcome = await _scanner
            .ScanAsync(request.Cache, request.Key, request.Cursor, ConsoleApi.MaxElements, s_longestScan)
            .ConfigureAwait(false);
        if (outcome.Error is { } error)
        {
            throw error == ScanErrors.NoCollection ? ApiException.OtherType() : ApiException.OfScan(error);
        }

        if (outcome.Page is not { } page)
        {
            return null;
        }

        ShownElements shown = new(type);
        shown.Add(page.Type == type ? page : throw ApiException.OtherType());
        string verb = type == ItemType.Dictionary ? "HLEN" : "SCARD";
        long count = await AskAsync(verb, cache, request.Key, static (ref RespReader reply) => reply.Integer).ConfigureAwait(false);
        return shown.ToAnswer(count, page.Cursor);
    }

    private RemoteCache Find(string cache) => gateway.Directory.Find(cache) ?? throw LocalConsoleStore.Unknown(cache);

    private async Task<T> AskAsync<T>(string verb, RemoteCache cache, byte[] key, ReplyReading<T> read, params long[] more)
    {
        FleetQuery<T> query = new(read);
        query.Begin(2 + more.Length);
        query.Add(Encoding.ASCII.GetBytes(verb));
        query.AddKey(cache.Prefix, key);
        Array.ForEach(more, query.Add);
        return await SendAsync(query).ConfigureAwait(false);
    }

    private async Task<T> SendAsync<T>(FleetQuery<T> query)
    {
        try
        {
            return await query.SendAsync(gateway.Store).ConfigureAwait(false);
        }
        catch (FleetQueryException error)
        {
            throw Unreachable(error.Failure);
        }
    }

    private static string NameOf(string type) => type switch
    {
        "string" => "scalar",
        "hash" => "dictionary",
        "zset" => "sorted set",
        _ => type,
    };

    private async Task ChangeAsync(DirectoryChange change, string cache)
    {
        DirectoryOutcome outcome;
        try
        {
            outcome = await gateway.Directory.ChangeAsync(change, cache).ConfigureAwait(false);
        }
        catch (FleetQueryException error)
        {
            throw Unreachable(error.Failure);
        }

        if (outcome == DirectoryOutcome.TooMany)
        {
            throw new ApiException(StatusCodes.Status409Conflict, $"the fleet already has the maximum of {FleetLimits.MaxCaches} caches; delete one first");
        }

        if (outcome != DirectoryOutcome.Done)
        {
            throw change == DirectoryChange.Create ? LocalConsoleStore.Exists(cache) : LocalConsoleStore.Unknown(cache);
        }
    }

    private static ApiException Unreachable(RedisFailure failure) => failure.Kind == RedisFailureKind.WrongType
        ? ApiException.OtherType()
        : new ApiException(StatusCodes.Status503ServiceUnavailable, FleetErrors.Of(failure).Message);
}
