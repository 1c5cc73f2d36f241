using System.Net.Http.Json;
using System.Text.Json;
using Larder.Harness.Servers;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

public sealed class ClosedReaderFaultTests
{
    private const int ValueBytes = 1_000_000;

    private static readonly byte[] Call = Http2Attacker.CallHeaders(FaultCalls.Get);

    [Theory]
    [InlineData("its socket")]
    [InlineData("its window")]
    public async Task N2_client_that_never_reads_is_disconnected_with_bounded_memory(string closed)
    {
        using ServerProcess server = await ServerProcess.StartAsync();
        await using RpcChannel channel = StallTolerantChannel.To(server.Endpoint);
        await channel.SetAsync("large", new byte[ValueBytes]);
        // With a window of 2 GB, only the buffer of the socket limits the data that the server sends. A window of 0 stops every response before its first byte.
        uint window = closed == "its socket" ? int.MaxValue : 0u;
        using Http2Attacker reader = await Http2Attacker.OpenAsync(server.Endpoint, (4, window));
        await reader.SendAsync(Http2Attacker.Frame(Http2Attacker.WindowUpdate, 0, 0, [0x7F, 0, 0, 0]));
        byte[] body = FaultCalls.Framed(new GetRequest { Key = CallHarness.Bytes("large") });
        for (int stream = 1; stream < 200; stream += 2)
        {
            await reader.SendAsync(
            [
                .. Http2Attacker.Frame(Http2Attacker.Headers, Http2Attacker.EndHeaders, stream, Call),
                .. Http2Attacker.Frame(Http2Attacker.Data, Http2Attacker.EndStream, stream, body),
            ]);
        }

        using HttpClient console = new();
        long peak = 0;
        await Until.TrueAsync(
            async () =>
            {
                peak = Math.Max(peak, server.ResidentBytes);
                await channel.AssertServesAsync(calls: 1);
                return await ConnectionsAsync(console, server) == 1;
            },
            $"a reader that closed {closed} is dropped");
        // The limit allows 100 streams of 1 MB, the process itself, and the overhead of the garbage collector. It does not allow responses that were not
        // requested.
        Assert.InRange(peak, 0, 700_000_000);
    }

    private static async Task<long> ConnectionsAsync(HttpClient console, ServerProcess server)
    {
        JsonElement stats = await console.GetFromJsonAsync<JsonElement>(new Uri(server.Console, "/stats"));
        return stats.GetProperty("connections").GetInt64();
    }
}
