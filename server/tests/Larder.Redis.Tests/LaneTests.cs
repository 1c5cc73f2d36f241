using Larder.Harness.Redis;
using Larder.Wire.Sockets;

namespace Larder.Redis.Tests;

/// <summary>Tests of FLEET-1: each reactor has its own connection to each node.</summary>
public sealed class LaneTests
{
    private static readonly int s_lanes = Reactor.IsDefault ? Reactor.Count : 1;

    [Fact]
    public async Task Each_lane_opens_its_own_connection_lazily_and_reconnects()
    {
        using RedisServer server = new();
        await using TestStore store = new TestStore(server.Url).Ready();
        Assert.Equal(1, Connections(server));
        List<string?> ids = [];
        for (int lane = 0; lane < s_lanes; lane++)
        {
            ids.Add(await IdAsync(store, lane));
        }

        Assert.Equal(s_lanes, ids.Distinct().Count());
        Assert.Equal(s_lanes, Connections(server));
        Assert.Equal(ids[0], await IdAsync(store, s_lanes));

        Assert.Equal("1", server.Ask("client", "kill", "id", ids[^1]!));
        Assert.DoesNotContain(await IdAsync(store, s_lanes - 1), ids);
        Assert.Equal(s_lanes > 1 ? ids[0] : null, s_lanes > 1 ? await IdAsync(store, 0) : null);
    }

    private static Task<string?> IdAsync(TestStore store, int lane) =>
        store.Send(new TestCommand("CLIENT", "ID") { Lane = lane, IsIdempotent = true, Deadline = TestStore.Patiently });

    private static int Connections(RedisServer server) =>
        server.Ask("client", "list").Split('\n').Count(static line => line.Contains("name=larder", StringComparison.Ordinal));
}
