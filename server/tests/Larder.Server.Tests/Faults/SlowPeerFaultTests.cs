namespace Larder.Server.Tests.Faults;

public sealed class SlowPeerFaultTests
{
    private static readonly byte[] Call = Http2Attacker.CallHeaders(FaultCalls.Get);

    [Fact]
    public async Task N2_silent_connection_is_closed()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using Http2Attacker silent = await Http2Attacker.ConnectAsync(server.Server.Endpoint);
        await server.Channel.AssertServesDuringAsync(AssertDroppedAsync(silent));
    }

    [Fact]
    public async Task N2_connection_with_endless_headers_is_closed()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using Http2Attacker slow = await Http2Attacker.OpenAsync(server.Server.Endpoint);
        await slow.SendAsync(Http2Attacker.Frame(Http2Attacker.Headers, 0, 1, Call.AsSpan(0, 20)));
        await server.Channel.AssertServesDuringAsync(AssertDroppedAsync(slow));
    }

    [Fact]
    public async Task N2_connection_with_endless_body_is_closed()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        using Http2Attacker slow = await Http2Attacker.OpenAsync(server.Server.Endpoint);
        await slow.SendAsync(
        [
            .. Http2Attacker.Frame(Http2Attacker.Headers, Http2Attacker.EndHeaders, 1, Call),
            .. Http2Attacker.Frame(Http2Attacker.Data, 0, 1, [0, 0, 0, 3, 0, 10]),
        ]);
        await server.Channel.AssertServesDuringAsync(AssertDroppedAsync(slow));
    }

    private static async Task AssertDroppedAsync(Http2Attacker slow) => Assert.True(await slow.WaitUntilClosedAsync());
}
