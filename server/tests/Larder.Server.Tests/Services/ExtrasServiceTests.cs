using System.Security.Cryptography;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Services;

public sealed class ExtrasServiceTests
{
    private const string Path = "/larder.v1.Extras/ScanKeys";
    private const string ItemsPath = "/larder.v1.Extras/ScanItems";

    [Fact]
    public async Task ScanKeys_returns_every_key_in_pages_of_requested_size()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        for (int number = 0; number < 250; number++)
        {
            await SetAsync(server, $"k{number}");
        }

        HashSet<string> shown = [];
        ScanKeysRequest ask = new() { Count = 100 };
        do
        {
            ScanKeysResponse page = await server.CallAsync<ScanKeysResponse>(Path, ask);
            Assert.InRange(page.Keys.Count, 0, 100);
            Assert.All(page.Keys, key => Assert.Equal((KeyType.Scalar, 1ul), (key.Type, key.Bytes)));
            shown.UnionWith(page.Keys.Select(key => key.Key.ToStringUtf8()));
            ask.Cursor = page.Cursor;
        }
        while (!ask.Cursor.IsEmpty);
        Assert.Equal(250, shown.Count);
    }

    [Fact]
    public async Task ScanKeys_rejects_unknown_type_missing_cache_and_invalid_cursor()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync(server, new ScanKeysRequest { Type = (KeyType)6 }));
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync(server, new ScanKeysRequest { Type = (KeyType)(-1) }));
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync(server, new ScanKeysRequest(), RpcHeaders.Empty));
        Assert.Equal(StatusCode.NotFound, await FailAsync(server, new ScanKeysRequest(), RunningServer.CacheHeaders("elsewhere")));

        // Sends a SetRequest instead of a ScanKeysRequest. In ScanKeysRequest, the number of the TTL field is used by a bytes field. The two fields have
        // different wire types, so the server ignores the field.
        Assert.Equal(StatusCode.Ok, await FailAsync(server, new SetRequest { TtlMs = 3 }));
        for (int length = 1; length < 60; length++)
        {
            ScanKeysRequest hostile = new() { Cursor = ByteString.CopyFrom(RandomNumberGenerator.GetBytes(length)) };
            Assert.Equal(StatusCode.InvalidArgument, await FailAsync(server, hostile));
        }
    }

    [Fact]
    public async Task ScanKeys_rejects_cursor_of_another_cache_or_earlier_server_run()
    {
        ByteString cursor;
        await using (RunningServer before = await RunningServer.StartAsync())
        {
            await SetAsync(before, "a");
            await SetAsync(before, "b");
            await before.CallAsync<CreateCacheResponse>("/control_client.ScsControl/CreateCache", new CreateCacheRequest { Name = "other" });
            cursor = (await before.CallAsync<ScanKeysResponse>(Path, new ScanKeysRequest { Count = 1 })).Cursor;
            Assert.Equal(StatusCode.InvalidArgument, await FailAsync(before, new ScanKeysRequest { Cursor = cursor }, RunningServer.CacheHeaders("other")));
            Assert.Equal(StatusCode.Ok, await FailAsync(before, new ScanKeysRequest { Cursor = cursor }));
        }

        await using RunningServer after = await RunningServer.StartAsync();
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync(after, new ScanKeysRequest { Cursor = cursor }));
    }

    [Fact]
    public async Task ScanKeys_requires_the_token()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { Token = "sesame" });
        Assert.Equal(StatusCode.Unauthenticated, await FailAsync(server, new ScanKeysRequest()));
    }

    [Fact]
    public async Task ScanItems_rejects_missing_token_and_cursor_of_earlier_server_run()
    {
        ByteString cursor;
        ScanItemsRequest ask = new() { Name = CallHarness.Bytes("list"), Count = 1 };
        await using (RunningServer before = await RunningServer.StartAsync())
        {
            await PushAsync(before);
            cursor = (await before.CallAsync<ScanItemsResponse>(ItemsPath, ask)).Cursor;
            Assert.Equal(StatusCode.Ok, await FailAsync(before, new ScanItemsRequest(ask) { Cursor = cursor }, path: ItemsPath));
        }

        await using RunningServer after = await RunningServer.StartAsync();
        await PushAsync(after);
        Assert.Equal(StatusCode.InvalidArgument, await FailAsync(after, new ScanItemsRequest(ask) { Cursor = cursor }, path: ItemsPath));
        await using RunningServer locked = await RunningServer.StartAsync(options => options with { Token = "sesame" });
        Assert.Equal(StatusCode.Unauthenticated, await FailAsync(locked, ask, path: ItemsPath));

        static async Task PushAsync(RunningServer server) => await server.CallAsync<ListConcatenateBackResponse>(
            "/cache_client.Scs/ListConcatenateBack",
            new ListConcatenateBackRequest { Name = CallHarness.Bytes("list"), Values = { CallHarness.Bytes("a"), CallHarness.Bytes("b") }, TtlMs = 60_000 });
    }

    private static async Task SetAsync(RunningServer server, string key) => await server.CallAsync<SetResponse>(
        "/cache_client.Scs/Set",
        new SetRequest { Key = CallHarness.Bytes(key), Value = CallHarness.Bytes("v"), TtlMs = 60_000 });

    private static async Task<StatusCode> FailAsync(RunningServer server, IMessage request, RpcHeaders? headers = null, string path = Path)
    {
        try
        {
            await server.CallAsync<ScanKeysResponse>(path, request, headers);
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }
}
