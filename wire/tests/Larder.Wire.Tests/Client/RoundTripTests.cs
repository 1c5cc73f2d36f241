using Google.Protobuf;
using Larder.Protocol;

namespace Larder.Wire.Tests.Client;

public sealed class RoundTripTests
{
    [TimedTheory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task Calls_succeed_with_reactors_and_with_standard_sockets(bool serverOnReactors, bool clientOnReactors)
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho, hosting: new RpcServerOptions { UsesReactors = serverOnReactors });
        await using RpcChannel channel = server.Connect(options => options with { UsesReactors = clientOnReactors });
        string[] answers = await Task.WhenAll(Enumerable.Range(0, 200).Select(async call => (await channel.GetAsync($"{call}")).Value.ToStringUtf8()));
        Assert.Equal(Enumerable.Range(0, 200).Select(call => $"{call}"), answers);
        string large = new('x', 1024 * 1024);
        Assert.Equal(large, (await channel.GetAsync(large)).Value.ToStringUtf8());
    }

    [TimedFact]
    public async Task Unary_call_returns_response()
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        await using RpcChannel channel = server.Connect();
        Assert.Equal("hello", (await channel.GetAsync("hello")).Value.ToStringUtf8());
    }

    [TimedTheory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4_096)]
    [InlineData(70_000)]
    [InlineData(5_000_000)]
    public async Task Value_of_any_size_round_trips(int length)
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        await using RpcChannel channel = server.Connect();
        byte[] value = new byte[length];
        new Random(length).NextBytes(value);
        GetRequest request = new() { Key = ByteString.CopyFrom(value) };
        GetResponse response = await channel.UnaryAsync(TestCalls.Get, request, RpcHeaders.Empty, TestCalls.Patience, CancellationToken.None);
        Assert.True(response.Value.Span.SequenceEqual(value));
    }

    [TimedFact]
    public async Task Raw_handler_receives_payload_and_writes_response()
    {
        await using TestServer server = await TestServer.StartAsync(router => router.MapUnary(TestCalls.GetPath, (request, response, _) =>
        {
            GetRequest parsed = GetRequest.Parser.ParseFrom(request);
            new GetResponse { Value = parsed.Key }.WriteTo(response);
            return ValueTask.CompletedTask;
        }));
        await using RpcChannel channel = server.Connect();
        Assert.Equal("raw", (await channel.GetAsync("raw")).Value.ToStringUtf8());
    }

    [TimedFact]
    public async Task Raw_handler_without_output_returns_empty_message()
    {
        await using TestServer server = await TestServer.StartAsync(router => router.MapUnary(TestCalls.GetPath, (_, _, _) => ValueTask.CompletedTask));
        await using RpcChannel channel = server.Connect();
        Assert.Equal(new GetResponse(), await channel.GetAsync("nothing"));
    }

    [TimedFact]
    public async Task Each_of_1000_concurrent_calls_gets_its_own_response()
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        await using RpcChannel channel = server.Connect();
        string[] keys = [.. Enumerable.Range(0, 1_000).Select(index => $"key-{index}")];
        GetResponse[] responses = await Task.WhenAll(keys.Select(key => channel.GetAsync(key).AsTask()));
        Assert.Equal(keys, responses.Select(response => response.Value.ToStringUtf8()));
    }

    [TimedFact]
    public async Task Server_stream_returns_messages_in_order()
    {
        await using TestServer server = await TestServer.StartAsync(router => router.MapServerStream(
            TestCalls.GetBatchPath,
            TestCalls.BatchRequests,
            TestCalls.GetResponses,
            async (request, responses, _) =>
            {
                foreach (GetRequest item in request.Items)
                {
                    await responses.BufferAsync(new GetResponse { Value = item.Key });
                }
            }));
        await using RpcChannel channel = server.Connect();
        GetBatchRequest batch = new();
        batch.Items.AddRange(Enumerable.Range(0, 5_000).Select(index => TestCalls.Key($"key-{index}")));
        int next = 0;
        await foreach (GetResponse response in channel.ServerStreamAsync(TestCalls.GetBatch, batch, RpcHeaders.Empty, TestCalls.Patience))
        {
            Assert.Equal($"key-{next++}", response.Value.ToStringUtf8());
        }

        Assert.Equal(5_000, next);
    }
}
