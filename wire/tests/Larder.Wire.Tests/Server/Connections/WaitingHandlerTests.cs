using System.Buffers;
using Larder.Wire.Http2;
using static Larder.Wire.Tests.Server.Connections.Http2Peer;

namespace Larder.Wire.Tests.Server.Connections;

/// <summary>Tests handlers whose large responses do not fit into the connection's buffer.</summary>
public sealed class WaitingHandlerTests : IAsyncLifetime
{
    private const string LaterPath = "/test.Cache/Later";
    private const string TriedPath = "/test.Cache/Tried";
    private const string OncePath = "/test.Cache/Once";
    private const int LargeBytes = 1_000_000;
    private const int Calls = 100;

    // The limit of one connection is 12 MiB. This is enough for a few of the responses. It is less than the total size of the smaller buffers that the handlers
    // try first.
    private readonly BufferBudget _budget = new(24 << 20);
    private TestServer _server = null!;
    private int _begun;

    public async Task InitializeAsync() => _server = await TestServer.StartAsync(Map, hosting: new RpcServerOptions { Budget = _budget });

    public Task DisposeAsync() => _server.DisposeAsync().AsTask();

    [TimedTheory]
    [InlineData(LaterPath)]
    [InlineData(TriedPath)]
    public async Task Waiting_handlers_run_one_at_a_time_without_holding_memory(string path)
    {
        using Http2Peer peer = await AskAsync(path, Calls);
        await ReadAllAsync(peer, Calls);

        // A handler runs when its call arrives, and again when space becomes free. If another response then takes the space first, the handler runs again
        // later.
        Assert.InRange(Volatile.Read(ref _begun), Calls, 4 * Calls);
        Assert.Equal(0, _budget.Refusals);
    }

    [TimedFact]
    public async Task RunsOnce_handler_is_not_repeated_when_its_response_waits()
    {
        using Http2Peer peer = await AskAsync(OncePath, 3);
        await ReadAllAsync(peer, 3);
        Assert.Equal(3, _begun);
    }

    private async Task<Http2Peer> AskAsync(string path, int calls)
    {
        Http2Peer peer = await OpenAsync(_server.Endpoint, (Http2Setting.InitialWindowSize, 0));
        await peer.SendAsync([.. Enumerable.Range(0, calls).SelectMany(call => Call((call * 2) + 1, [], path))]);
        return peer;
    }

    private static async Task ReadAllAsync(Http2Peer peer, int calls)
    {
        await peer.SendAsync([.. Settings((Http2Setting.InitialWindowSize, 2_000_000)), .. Make(Http2FrameType.WindowUpdate, 0, 0, Number(1 << 30))]);
        long left = calls * (LargeBytes + 5L);
        while (left > 0)
        {
            left -= (await peer.ReadUntilAsync(Http2FrameType.Data)).Payload.Length;
        }
    }

    private void Map(RpcRouter router)
    {
        router.MapUnary(LaterPath, async (_, response, _) =>
        {
            await Task.Yield();
            Write(response);
        });
        router.MapUnary(TriedPath, (_, response, _) =>
        {
            response.GetSpan(100 * 1024);
            Write(response);
            return default;
        });
        router.MapUnary(OncePath, (_, response, context) =>
        {
            context.RunsOnce = true;
            Write(response);
            return default;
        });
    }

    private void Write(IBufferWriter<byte> response)
    {
        Interlocked.Increment(ref _begun);
        response.GetSpan(LargeBytes)[..LargeBytes].Clear();
        response.Advance(LargeBytes);
    }
}
