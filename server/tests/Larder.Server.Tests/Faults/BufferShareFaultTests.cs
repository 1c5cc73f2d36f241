using System.Globalization;
using System.Text.RegularExpressions;
using Larder.Protocol;
using Larder.Server.Tests.Security;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

/// <summary>Tokens whose connections hold as much of the server's buffers as they can, next to a token that wants a little.</summary>
public sealed class BufferShareFaultTests
{
    private const long BufferBytes = 32 << 20;
    private const int UnfinishedBytes = 30_000;

    [Theory]
    [InlineData(1, 1_000_000)]
    [InlineData(2, 200_000)]
    [InlineData(10, 100_000)] // Of 32 MiB, 1 is free.
    public async Task A1_neighbour_stores_large_values_when_other_tokens_hold_all_they_may(int greedy, int valueBytes)
    {
        string[] ids = [.. Enumerable.Range(0, greedy).Select(static number => $"greedy-{number}")];
        IEnumerable<string> tenants = ids.Append("neighbour").Select(static id => TokensOnDisk.Entry(id, "readwrite", "cache"));
        using TokensOnDisk tokens = new([.. tenants, TokensOnDisk.Entry("operator", "admin", "*")]);
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        List<Http2Attacker> attackers = [];
        try
        {
            long most = BufferBytes * 3 * greedy / ((3 * greedy) + 1);
            await Until.TrueAsync(
                async () =>
                {
                    attackers.AddRange(await Task.WhenAll(ids.Select(id => HoldAsync(server.Server.Endpoint, TokensOnDisk.SecretOf(id)))));
                    return await ReadAsync(server) >= most * 3 / 4;
                },
                "the greedy hold all that they may");
            foreach (string id in Enumerable.Range(0, 20).Select(number => ids[number % ids.Length]))
            {
                attackers.Add(await HoldAsync(server.Server.Endpoint, TokensOnDisk.SecretOf(id)));
            }

            for (int call = 0; call < 20; call++)
            {
                await SetAsync(server.Channel, valueBytes);
            }

            await using RpcChannel other = PatientChannel.To(server.Server.Endpoint);
            await SetAsync(other, valueBytes);
            // The neighbour's connections hold something too.
            Assert.InRange(await ReadAsync(server), 0, most + (1 << 20));
        }
        finally
        {
            attackers.ForEach(static attacker => attacker.Dispose());
        }

        await Until.TrueAsync(async () => await ReadAsync(server) == 0, "all is given back");
    }

    // A hundred calls on a connection, each of which has all of its request but the last byte.
    private static async Task<Http2Attacker> HoldAsync(Uri endpoint, string token)
    {
        Http2Attacker attacker = await Http2Attacker.OpenAsync(endpoint);
        byte[] unfinished = new byte[5 + UnfinishedBytes - 1];
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(unfinished.AsSpan(1), UnfinishedBytes);
        byte[] headers = Http2Attacker.CallHeaders("/cache_client.Scs/Set", ("authorization", token));
        await attacker.SendAsync([.. Enumerable.Range(0, 100).SelectMany(call => (byte[])
        [
            .. Http2Attacker.Frame(Http2Attacker.Headers, Http2Attacker.EndHeaders, (call * 2) + 1, headers),
            .. Http2Attacker.Frame(Http2Attacker.Data, 0, (call * 2) + 1, unfinished.AsSpan(0, 16_384)),
            .. Http2Attacker.Frame(Http2Attacker.Data, 0, (call * 2) + 1, unfinished.AsSpan(16_384)),
        ])]);
        return attacker;
    }

    private static async Task SetAsync(RpcChannel channel, int bytes) => await channel.UnaryAsync(
        FaultCalls.SetMethod,
        new SetRequest { Key = Calls.CallHarness.Bytes("large"), Value = Google.Protobuf.ByteString.CopyFrom(new byte[bytes]), TtlMs = 60_000 },
        RunningServer.CacheHeaders().With("authorization", TokensOnDisk.SecretOf("neighbour")),
        RunningServer.Patience,
        CancellationToken.None);

    private static async Task<long> ReadAsync(RunningServer server)
    {
        using HttpClient client = new();
        client.DefaultRequestHeaders.Authorization = new("Bearer", TokensOnDisk.SecretOf("operator"));
        string text = await client.GetStringAsync(new Uri(server.Server.ConsoleEndpoint, "/metrics"));
        return long.Parse(Regex.Match(text, @"^larder_buffer_used_bytes (\S+)$", RegexOptions.Multiline).Groups[1].Value, CultureInfo.InvariantCulture);
    }
}
