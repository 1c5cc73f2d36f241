using System.Globalization;
using System.Text.RegularExpressions;
using Larder.Harness.Servers;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

/// <summary>S7: tests with responses, uploads and batches that together exceed the memory that a server may use for its connections.</summary>
public sealed class MemoryFaultTests
{
    private const string Pipeline = "/larder.v1.Pipeline/Run";
    private const int HugeBytes = 4_990_000;

    // The limit is --memory 64m plus 15 %, plus 100 MB for a process without a cache.
    private const long MaxResidentBytes = ((64L << 20) * 115 / 100) + 100_000_000;

    [Fact]
    public async Task S7_unread_responses_endless_uploads_and_huge_batches_respect_memory_limit()
    {
        using ServerProcess server = await ServerProcess.StartAsync();
        await using RpcChannel neighbour = StallTolerantChannel.To(server.Endpoint);
        await neighbour.SetAsync("huge", new byte[HugeBytes]);
        List<Http2Attacker> attackers = [];
        try
        {
            attackers.AddRange(await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => ReadNothingAsync(server.Endpoint))));
            attackers.AddRange(await Task.WhenAll(Enumerable.Range(0, 12).Select(_ => UploadForeverAsync(server.Endpoint))));
            Http2Attacker batches = await OpenPipelineAsync(server.Endpoint);
            attackers.Add(batches);
            long most = 0;
            await Until.TrueAsync(
                async () =>
                {
                    await batches.SendAsync(Http2Attacker.Frame(Http2Attacker.Data, 0, 1, HundredTimesHuge));
                    await neighbour.AssertServesAsync(calls: 5);
                    most = Math.Max(most, server.ResidentBytes);
                    return await ReadAsync(server, "larder_buffer_refusals_total") > 0;
                },
                "somebody is refused");
            await neighbour.AssertServesAsync(calls: 50);
            Assert.InRange(Math.Max(most, server.ResidentBytes), 1, MaxResidentBytes);
            Assert.InRange(await ReadAsync(server, "larder_buffer_used_bytes"), 1, await ReadAsync(server, "larder_buffer_limit_bytes"));
        }
        finally
        {
            attackers.ForEach(attacker => attacker.Dispose());
        }

        await Until.TrueAsync(async () => await ReadAsync(server, "larder_buffer_used_bytes") == 0, "all is given back");
        await neighbour.SetAsync("huge", new byte[HugeBytes]);
        Assert.Equal(CacheResult.Hit, await neighbour.GetAsync("huge"));
    }

    // Sends a hundred gets of the huge value with a window of 0.
    private static async Task<Http2Attacker> ReadNothingAsync(Uri endpoint)
    {
        Http2Attacker attacker = await Http2Attacker.OpenAsync(endpoint, (4, 0));
        byte[] get = FaultCalls.Framed(new GetRequest { Key = CallHarness.Bytes("huge") });
        await attacker.SendAsync([.. Enumerable.Range(0, 100).SelectMany(call => (byte[])
        [
            .. Http2Attacker.Frame(Http2Attacker.Headers, Http2Attacker.EndHeaders, (call * 2) + 1, Http2Attacker.CallHeaders(FaultCalls.Get)),
            .. Http2Attacker.Frame(Http2Attacker.Data, Http2Attacker.EndStream, (call * 2) + 1, get),
        ])]);
        return attacker;
    }

    // Sends the first 900 KB of a 10 MB message.
    private static async Task<Http2Attacker> UploadForeverAsync(Uri endpoint)
    {
        Http2Attacker attacker = await Http2Attacker.OpenAsync(endpoint);
        byte[] chunk = new byte[16_384];
        await attacker.SendAsync(
        [
            .. Http2Attacker.Frame(Http2Attacker.Headers, Http2Attacker.EndHeaders, 1, Http2Attacker.CallHeaders("/cache_client.Scs/SetBatch")),
            .. Http2Attacker.Frame(Http2Attacker.Data, 0, 1, [0, 0, 0x9E, 0, 0]),
            .. Enumerable.Range(0, 55).SelectMany(_ => Http2Attacker.Frame(Http2Attacker.Data, 0, 1, chunk)),
        ]);
        return attacker;
    }

    private static async Task<Http2Attacker> OpenPipelineAsync(Uri endpoint)
    {
        Http2Attacker attacker = await Http2Attacker.OpenAsync(endpoint, (4, 1 << 30));
        await attacker.SendAsync(Http2Attacker.Frame(Http2Attacker.Headers, Http2Attacker.EndHeaders, 1, Http2Attacker.CallHeaders(Pipeline)));
        return attacker;
    }

    private static byte[] HundredTimesHuge
    {
        get
        {
            GetBatchRequest batch = new();
            batch.Items.AddRange(Enumerable.Repeat(new GetRequest { Key = CallHarness.Bytes("huge") }, 100));
            return FaultCalls.Framed(new Batch { Operations = { new Operation { Id = 1, GetBatch = batch } } });
        }
    }

    private static async Task<double> ReadAsync(ServerProcess server, string metric)
    {
        using HttpClient client = new();
        string text = await client.GetStringAsync(new Uri(server.Console, "/metrics"));
        return double.Parse(Regex.Match(text, $@"^{metric} (\S+)$", RegexOptions.Multiline).Groups[1].Value, CultureInfo.InvariantCulture);
    }
}
