using Larder.Server.Tests.Security;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

/// <summary>Tests with tokens whose connections occupy as many of the server's buffers as possible, and another token that needs few buffers.</summary>
public sealed class BufferShareFaultTests
{
    private const long BufferBytes = 32 << 20;
    private const int UnfinishedBytes = 30_000;

    [Theory]
    [InlineData(1, 1_000_000)]
    [InlineData(2, 200_000)]
    [InlineData(3, 100_000)] // If the tokens fill their shares one after another, half a MiB of 32 MiB stays free.
    public async Task A1_client_stores_large_values_while_other_tokens_exhaust_their_buffers(int greedy, int valueBytes)
    {
        string[] ids = [.. Enumerable.Range(0, greedy).Select(static number => $"greedy-{number}")];
        IEnumerable<string> tenants = ids.Append("neighbour").Select(static id => TokensOnDisk.Entry(id, "readwrite", "cache"));
        using TokensOnDisk tokens = new([.. tenants, TokensOnDisk.Entry("operator", "admin", "*")]);
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path });
        RpcHeaders headers = RunningServer.CacheHeaders().With("authorization", TokensOnDisk.SecretOf("neighbour"));
        List<Http2Attacker> attackers = [];
        try
        {
            // The lower bound applies if the tokens fill the buffers concurrently, the upper bound if they fill the buffers one after another.
            long least = BufferBytes * 3 * greedy / ((3 * greedy) + 1);
            long most = BufferBytes - (BufferBytes >> (2 * greedy));
            await Until.TrueAsync(
                async () =>
                {
                    attackers.AddRange(await Task.WhenAll(ids.Select(id => HoldAsync(server, id))));
                    return await UsedBytesAsync(server) >= least * 3 / 4;
                },
                "the greedy hold all that they may");
            foreach (string id in Enumerable.Range(0, 20).Select(number => ids[number % ids.Length]))
            {
                attackers.Add(await HoldAsync(server, id));
            }

            for (int call = 0; call < 20; call++)
            {
                await BufferAttack.SetAsync(server.Channel, headers, valueBytes);
            }

            await using RpcChannel other = StallTolerantChannel.To(server.Server.Endpoint);
            await BufferAttack.SetAsync(other, headers, valueBytes);

            // The limit includes 1 MiB for the neighbour's connections.
            Assert.InRange(await UsedBytesAsync(server), 0, most + (1 << 20));
        }
        finally
        {
            attackers.ForEach(static attacker => attacker.Dispose());
        }

        await Until.TrueAsync(async () => await UsedBytesAsync(server) == 0, "all is given back");
    }

    private static Task<Http2Attacker> HoldAsync(RunningServer server, string id) => BufferAttack.HoldAsync(
        server.Server.Endpoint,
        Http2Attacker.CallHeaders("/cache_client.Scs/Set", ("authorization", TokensOnDisk.SecretOf(id))),
        UnfinishedBytes);

    private static Task<long> UsedBytesAsync(RunningServer server) => BufferAttack.UsedBytesAsync(server, TokensOnDisk.SecretOf("operator"));
}
