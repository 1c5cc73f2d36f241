using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;
using Outcome = Larder.Protocol.Result.OutcomeOneofCase;

namespace Larder.Server.Tests.Pipeline;

public sealed class PipelineStreamTests
{
    [Fact]
    public async Task Responses_to_one_message_carry_their_operation_ids()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync(
            Set(7, "k", "v"),
            Get(0, "k"),
            Get(9, "other"),
            new Operation
            {
                Id = 12,
                Increment = new IncrementRequest
                {
                    Key = CallHarness.Bytes("n"),
                    Amount = 5,
                    TtlMs = 1_000,
                },
            });
        Dictionary<uint, Result> results = await client.ReadResultsAsync(4);
        Assert.Equal(CacheResult.Ok, results[7].Set.Result);
        Assert.Equal("v", results[0].Get.Value.ToStringUtf8());
        Assert.Equal(CacheResult.Miss, results[9].Get.Result);
        Assert.Equal(5, results[12].Increment.Value);
    }

    [Fact]
    public async Task Message_arriving_byte_by_byte_gets_a_response()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        byte[] batch = new Batch { Operations = { Set(1, "k", "v"), Get(2, "k") } }.ToByteArray();
        byte[] frame = [0, 0, 0, 0, (byte)batch.Length, .. batch];
        foreach (byte part in frame)
        {
            await client.SendRawAsync(new[] { part });
        }

        Assert.Equal("v", (await client.ReadResultsAsync(2))[2].Get.Value.ToStringUtf8());
    }

    [Fact]
    public async Task Invalid_operation_fails_without_affecting_other_operations()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync(
            Get(1, ""),
            new Operation { Id = 2 },
            Get(3, "k").In("elsewhere"),
            Set(4, "k", "v", ttlMs: 0),
            Get(5, "k"),
            Get(6, "k").In("  "));
        Dictionary<uint, Result> results = await client.ReadResultsAsync(6);
        Assert.Equal((uint)StatusCode.InvalidArgument, results[6].Status.Code);
        Assert.Equal((uint)StatusCode.InvalidArgument, results[1].Status.Code);
        Assert.Equal((uint)StatusCode.Unimplemented, results[2].Status.Code);
        Assert.Equal((uint)StatusCode.NotFound, results[3].Status.Code);
        Assert.Equal((uint)StatusCode.InvalidArgument, results[4].Status.Code);
        Assert.Equal(CacheResult.Miss, results[5].Get.Result);
    }

    [Fact]
    public async Task P2_malformed_message_fails_the_stream_and_keeps_the_connection()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync([0x0A, 0x7F, 0x01]);
        RpcException error = await Assert.ThrowsAsync<RpcException>(client.ReadAsync);
        Assert.Equal(StatusCode.InvalidArgument, error.Status.Code);
        await using PipelineClient next = await PipelineClient.OpenAsync(server);
        await next.SendAsync(Get(1, "k"));
        Assert.Single(await next.ReadResultsAsync(1));
    }

    [Fact]
    public async Task P4_frame_declaring_1_GiB_fails_the_stream_without_large_allocation()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        long before = GC.GetTotalAllocatedBytes();
        await client.SendRawAsync(new byte[] { 0, 0x40, 0, 0, 0 });
        RpcException error = await Assert.ThrowsAsync<RpcException>(client.ReadAsync);
        Assert.Equal(StatusCode.ResourceExhausted, error.Status.Code);
        Assert.InRange(GC.GetTotalAllocatedBytes() - before, 0, 100L << 20);
    }

    [Fact]
    public async Task Pipelined_get_of_value_over_64_KB_requires_unary_call()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync(
            Set(1, "at", new string('x', 65_536)),
            Set(2, "over", new string('x', 65_537)),
            Get(3, "at"),
            Get(4, "over"),
            new Operation { Id = 5, GetWithHash = new GetWithHashRequest { Key = CallHarness.Bytes("over") } },
            new Operation { Id = 6, GetBatch = new GetBatchRequest { Items = { new GetRequest { Key = CallHarness.Bytes("over") } } } });
        Dictionary<uint, Result> results = await client.ReadResultsAsync(6);
        Assert.Equal(CacheResult.Ok, results[2].Set.Result);
        Assert.Equal(65_536, results[3].Get.Value.Length);
        Assert.Equal(Outcome.UseUnary, results[4].OutcomeCase);
        Assert.Equal(Outcome.UseUnary, results[5].OutcomeCase);
        Assert.Equal(Outcome.UseUnary, results[6].OutcomeCase);
    }

    [Fact]
    public async Task Batch_is_sent_as_one_operation()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync(
            new Operation { Id = 1, SetBatch = new SetBatchRequest { Items = { Set(0, "a", "1").Set, Set(0, "b", "2").Set } } },
            new Operation { Id = 2, GetBatch = new GetBatchRequest { Items = { Get(0, "b").Get, Get(0, "c").Get } } });
        Dictionary<uint, Result> results = await client.ReadResultsAsync(2);
        Assert.Equal(2, results[1].SetBatch.Responses.Count);
        Assert.Equal([CacheResult.Hit, CacheResult.Miss], results[2].GetBatch.Responses.Select(response => response.Result));
    }

    [Fact]
    public async Task Operation_must_select_a_cache_when_its_stream_has_none()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await server.CallAsync<CreateCacheResponse>("/control_client.ScsControl/CreateCache", new CreateCacheRequest { Name = "second" });
        await using PipelineClient client = await PipelineClient.OpenAsync(server, RpcHeaders.Empty);
        await client.SendAsync(Set(1, "k", "one").In("cache"), Set(2, "k", "two").In("second"), Get(3, "k").In("cache"), Get(4, "k").In("second"), Get(5, "k"));
        Dictionary<uint, Result> results = await client.ReadResultsAsync(5);
        Assert.Equal("one", results[3].Get.Value.ToStringUtf8());
        Assert.Equal("two", results[4].Get.Value.ToStringUtf8());
        Assert.Equal((uint)StatusCode.InvalidArgument, results[5].Status.Code);
    }

    [Fact]
    public async Task Slow_reader_receives_one_response_for_each_operation()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync(Set(1, "k", new string('v', 1_000)));
        await client.ReadResultsAsync(1);
        const int Messages = 20;
        const int PerMessage = 500;
        Task sending = Task.Run(async () =>
        {
            for (int message = 0; message < Messages; message++)
            {
                int first = message * PerMessage;
                await client.SendAsync(Enumerable.Range(first, PerMessage).Select(id => Get((uint)id, "k")));
            }
        });
        Dictionary<uint, Result> results = await client.ReadResultsAsync(Messages * PerMessage);
        await sending;
        Assert.All(results.Values, result => Assert.Equal(1_000, result.Get.Value.Length));
    }

    [Fact]
    public async Task Half_closed_stream_receives_all_responses_and_ends_with_OK()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync(Set(1, "k", "v"));
        client.CompleteWriting();
        await client.ReadResultsAsync(1);
        Assert.Null(await client.ReadAsync());
    }

    [Fact]
    public async Task S2_stopping_server_announces_drain_and_completes_remaining_calls()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync(Set(1, "k", "v"));
        await client.ReadResultsAsync(1);
        Task stopping = server.Server.StopAsync();
        BatchResult? announcement = await client.ReadAsync();
        Assert.True(announcement!.Draining);
        await client.SendAsync(Get(2, "k"));
        Assert.Equal("v", (await client.ReadResultsAsync(1))[2].Get.Value.ToStringUtf8());
        client.CompleteWriting();
        Assert.Null(await client.ReadAsync());
        await stopping;
    }

    [Fact]
    public async Task A1_pipeline_without_token_fails_with_Unauthenticated()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { Token = "sesame" });
        RpcException error = await Assert.ThrowsAsync<RpcException>(() => PipelineClient.OpenAsync(server));
        Assert.Equal(StatusCode.Unauthenticated, error.Status.Code);
    }

    internal static Operation Get(uint id, string key) => new() { Id = id, Get = new GetRequest { Key = CallHarness.Bytes(key) } };

    internal static Operation Set(uint id, string key, string value, ulong ttlMs = 60_000) =>
        new() { Id = id, Set = new SetRequest { Key = CallHarness.Bytes(key), Value = CallHarness.Bytes(value), TtlMs = ttlMs } };
}

file static class Operations
{
    public static Operation In(this Operation operation, string cache)
    {
        operation.Cache = cache;
        return operation;
    }
}
