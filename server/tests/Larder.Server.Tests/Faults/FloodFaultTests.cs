using Larder.Protocol;
using Larder.Server.Tests.Calls;

namespace Larder.Server.Tests.Faults;

public sealed class FloodFaultTests
{
    private const int Batch = 100;

    private static readonly byte[] Call = Http2Attacker.CallHeaders(FaultCalls.Get);

    public static TheoryData<string> Floods =>
        [
            "rapid resets",
            "settings",
            "pings",
            "continuations",
            "empty data",
            "resets of requests whole",
            "settings of 2,730 entries",
            "window updates",
            "repeated metadata",
        ];

    [Theory]
    [MemberData(nameof(Floods))]
    public async Task N1_flood_closes_only_its_own_connection(string flood)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await server.Channel.AssertServesAsync(calls: 1);
        using Http2Attacker attacker = await Http2Attacker.OpenAsync(server.Server.Endpoint);
        if (flood == "continuations")
        {
            await attacker.SendAsync(Http2Attacker.Frame(Http2Attacker.Headers, 0, 1, Call));
        }
        else if (flood == "empty data")
        {
            await attacker.SendAsync(Http2Attacker.Frame(Http2Attacker.Headers, Http2Attacker.EndHeaders, 1, Call));
        }

        Task<bool> attack = attacker.SendUntilClosedAsync(number => Frames(flood, number));
        await server.Channel.AssertServesDuringAsync(attack);
        Assert.True(await attack, $"The flood of {flood} was not ended.");
        await server.Channel.AssertServesAsync();
    }

    [Fact]
    public async Task N1_occasional_cancellations_are_not_treated_as_a_flood()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { FaultInjection = true });
        for (int call = 0; call < 300; call++)
        {
            using CancellationTokenSource giveUp = new();
            ValueTask<GetResponse> pending = server.Channel.UnaryAsync(
                FaultCalls.GetMethod,
                new GetRequest { Key = CallHarness.Bytes("k") },
                RunningServer.CacheHeaders().With("delay-rpcs", "get").With("delay-ms", "60000").With("request-id", $"{call}"),
                RunningServer.Patience,
                giveUp.Token);
            await giveUp.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await pending);
        }

        await server.Channel.AssertServesAsync();
    }

    private static byte[] Frames(string flood, int number) => flood switch
    {
        "rapid resets" => Repeat(index =>
        {
            int stream = (((number * Batch) + index) * 2) + 1;
            return
            [
                .. Http2Attacker.Frame(Http2Attacker.Headers, Http2Attacker.EndHeaders, stream, Call),
                .. Http2Attacker.Frame(Http2Attacker.ResetStream, 0, stream, [0, 0, 0, 8]),
            ];
        }),
        "resets of requests whole" => Repeat(index =>
        {
            int stream = (((number * Batch) + index) * 2) + 1;
            return
            [
                .. Http2Attacker.Frame(Http2Attacker.Headers, Http2Attacker.EndHeaders, stream, Call),
                .. Http2Attacker.Frame(Http2Attacker.Data, Http2Attacker.EndStream, stream, FaultCalls.Framed(new GetRequest { Key = CallHarness.Bytes("k") })),
                .. Http2Attacker.Frame(Http2Attacker.ResetStream, 0, stream, [0, 0, 0, 8]),
            ];
        }),
        "settings" => Repeat(_ => Http2Attacker.Frame(Http2Attacker.Settings, 0, 0, [0, 4, 0, 1, 0, 0])),
        "pings" => Repeat(_ => Http2Attacker.Frame(Http2Attacker.Ping, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8])),
        "settings of 2,730 entries" => Http2Attacker.Frame(
            Http2Attacker.Settings,
            0,
            0,
            [.. Enumerable.Range(0, 2_730).SelectMany(entry => (byte[])[0, 4, 0, 0, 0, (byte)(entry & 1)])]),
        "window updates" => Repeat(_ => Http2Attacker.Frame(Http2Attacker.WindowUpdate, 0, 0, [0, 0, 0, 1])),
        // One field is added to the HPACK table and then referenced 400 times. The header block is small, but it contains three times as many fields as a call
        // may have.
        "repeated metadata" => Repeat(index =>
            Http2Attacker.Frame(
                Http2Attacker.Headers,
                Http2Attacker.EndHeaders | Http2Attacker.EndStream,
                (((number * Batch) + index) * 2) + 1,
                [.. Call, 0x40, 1, (byte)'x', 1, (byte)'1', .. Enumerable.Repeat((byte)0xBE, 400)])),
        "continuations" => Repeat(_ => Http2Attacker.Frame(Http2Attacker.Continuation, 0, 1, [])),
        "empty data" => Repeat(_ => Http2Attacker.Frame(Http2Attacker.Data, 0, 1, [])),
        _ => throw new ArgumentOutOfRangeException(nameof(flood)),
    };

    private static byte[] Repeat(Func<int, byte[]> frames) => [.. Enumerable.Range(0, Batch).SelectMany(frames)];
}
