using Larder.Protocol;
using Larder.Server.Tests.Pipeline;

namespace Larder.Server.Tests.Near;

/// <summary>Operations on a server that the tests of near streams use.</summary>
internal static class NearServers
{
    /// <summary>
    /// Opens a near stream. On a gateway, waits until its connections to the nodes exist, because clients may keep responses only from then on.
    /// </summary>
    public static async Task<NearClient> OpenNearAsync(this RunningServer server)
    {
        NearClient client = await NearClient.OpenAsync(server);
        await client.SettleAsync();
        return client;
    }

    /// <summary>Sets many keys to one value.</summary>
    public static async Task SetManyAsync(this RunningServer server, IEnumerable<string> keys, string value)
    {
        await using NearClient writer = await NearClient.OpenPlainAsync(server);
        foreach (string[] part in keys.Chunk(5_000))
        {
            SetBatchRequest request = new();
            request.Items.AddRange(part.Select(key => NearClient.Set(key, value).Set));
            Assert.Equal(Result.OutcomeOneofCase.SetBatch, (await writer.AskAsync(new Operation { Id = 1, SetBatch = request })).OutcomeCase);
        }
    }
}
