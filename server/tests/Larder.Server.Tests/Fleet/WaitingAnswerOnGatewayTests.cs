using Google.Protobuf;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Faults;

namespace Larder.Server.Tests.Fleet;

/// <summary>
/// Tests of a gateway whose clients do not read their large responses. No response is rejected or lost, and each element is removed from its node exactly once.
/// </summary>
public sealed class WaitingAnswerOnGatewayTests : IDisposable
{
    private const int Bytes = 300_000;
    // The values of all calls together are smaller than the largest request.
    private const int Calls = 16;

    private readonly RedisServer _redis = new();

    public void Dispose() => _redis.Dispose();

    [Theory]
    [InlineData("ListPopFront")]
    [InlineData("SetPop")]
    public async Task Pop_removes_each_element_once_while_its_response_is_unread(string pop)
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        ByteString key = CallHarness.Bytes("k");
        IEnumerable<ByteString> elements = Enumerable.Range(0, Calls).Select(static each => ByteString.CopyFrom([.. Enumerable.Repeat((byte)each, Bytes)]));
        IMessage request;
        if (pop == "SetPop")
        {
            request = new SetPopRequest { Name = key, Count = 1 };
            await gateway.CallAsync<SetUnionResponse>(
                "/cache_client.Scs/SetUnion",
                new SetUnionRequest { Name = key, Elements = { elements }, TtlMs = 600_000 });
        }
        else
        {
            request = new ListPopFrontRequest { Name = key };
            ListConcatenateBackRequest push = new() { Name = key, Values = { elements }, TtlMs = 600_000 };
            await gateway.CallAsync<ListConcatenateBackResponse>("/cache_client.Scs/ListConcatenateBack", push);
        }

        using Http2Attacker reader = await UnreadResponses.AskAsync(gateway, $"/cache_client.Scs/{pop}", FaultCalls.Framed(request), Calls);
        await Until.TrueAsync(() => IsMissingAsync(gateway, key), "every element is taken");
        Assert.InRange(await UnreadResponses.ReadAsync(reader, Calls), (long)Calls * Bytes, long.MaxValue);
    }

    [Fact]
    public async Task Get_is_not_rejected_while_responses_are_unread()
    {
        // The total size of the responses is 150 MB, but the buffers may use only 63 MB.
        const int bytes = 1_500_000;
        const int calls = 100;
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await gateway.Channel.SetAsync("k", new byte[bytes]);
        byte[] get = FaultCalls.Framed(new GetRequest { Key = CallHarness.Bytes("k") });
        using Http2Attacker reader = await UnreadResponses.AskAsync(gateway, FaultCalls.Get, get, calls);
        await gateway.Channel.AssertServesAsync(calls: 5);
        Assert.InRange(await UnreadResponses.ReadAsync(reader, calls), (long)calls * bytes, long.MaxValue);
    }

    private static async Task<bool> IsMissingAsync(RunningServer gateway, ByteString key)
    {
        ItemGetTypeResponse answer = await gateway.CallAsync<ItemGetTypeResponse>("/cache_client.Scs/ItemGetType", new ItemGetTypeRequest { Key = key });
        return answer.OutcomeCase == ItemGetTypeResponse.OutcomeOneofCase.Missing;
    }
}
