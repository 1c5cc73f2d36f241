using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Pipeline;
using Larder.Server.Services;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Faults;
using Larder.Server.Work;
using Larder.Wire;

namespace Larder.Server.Tests.Pipeline;

/// <summary>Tests of long-running calls. A worker runs them, while their stream and other streams continue.</summary>
public sealed class DeferredCallTests
{
    // A union of sets with this many members takes about 50 ms, which is 500 times as long as a call may take on the reading thread.
    private const int Members = 20_000;

    // A union of five sets with this many members takes two seconds.
    private const int LongMembers = 10 * Members;
    private const int LongSources = 5;

    private static readonly ByteString s_source = CallHarness.Bytes("z");

    [Fact]
    public async Task Short_call_overtakes_a_long_call()
    {
        await using RunningServer server = await StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync(Union(1), PipelineStreamTests.Get(2, "k"));
        Assert.Equal([2u], (await client.ReadAsync())!.Results.Select(result => result.Id));
        Assert.Equal((uint)Members, (await client.ReadResultsAsync(1))[1].SortedSetUnionStore.Length);
    }

    [Theory]
    [InlineData(PipelineLimits.MaxDeferred)]
    [InlineData(PipelineLimits.MaxDeferred + 1)]
    [InlineData(10 * PipelineLimits.MaxDeferred)]
    public async Task Long_calls_return_responses_when_their_number_exceeds_the_limit(int calls)
    {
        await using RunningServer server = await StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        ListConcatenateBackRequest elements = new() { Name = CallHarness.Bytes("l"), TtlMs = 600_000 };
        elements.Values.AddRange(Enumerable.Repeat(CallHarness.Bytes("e"), Members));
        await server.CallAsync<ListConcatenateBackResponse>("/cache_client.Scs/ListConcatenateBack", elements);
        await client.SendAsync(Enumerable.Range(1, calls).Select(id => Remove((uint)id)));
        Dictionary<uint, Result> results = await client.ReadResultsAsync(calls);
        Assert.All(results.Values, result => Assert.Equal((uint)Members, result.ListRemove.Found.Length));
    }

    [Fact]
    public async Task Long_requests_succeed_when_their_total_size_exceeds_limit()
    {
        await using RunningServer server = await StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        KeysExistRequest large = new();
        large.Keys.AddRange(Enumerable.Repeat(CallHarness.Bytes(new string('k', 1_000)), PipelineLimits.MaxDeferredBytes / 10 / 1_000));
        for (uint id = 1; id <= 30; id++)
        {
            await client.SendAsync(new Operation { Id = id, KeysExist = large });
        }

        Dictionary<uint, Result> results = await client.ReadResultsAsync(30);
        Assert.All(results.Values, result => Assert.Equal(large.Keys.Count, result.KeysExist.Exists.Count));
    }

    [Fact]
    public async Task Queued_long_calls_of_a_closed_stream_are_dropped()
    {
        await using RunningServer server = await StartAsync();
        await using (PipelineClient client = await PipelineClient.OpenAsync(server))
        {
            await client.SendAsync([.. Enumerable.Range(1, PipelineLimits.MaxDeferred).Select(id => Union((uint)id)), PipelineStreamTests.Get(1_000, "k")]);
            await client.ReadAsync();
        }

        await Until.TrueAsync(() => Task.FromResult(WorkGroups.Started == 0), "no long call is under way");
        KeysExistRequest stored = new();
        stored.Keys.AddRange(Enumerable.Range(1, PipelineLimits.MaxDeferred).Select(Target));
        KeysExistResponse exist = await server.CallAsync<KeysExistResponse>("/cache_client.Scs/KeysExist", stored);
        Assert.Contains(false, exist.Exists);
    }

    [Fact]
    public async Task Running_unions_of_a_closed_stream_store_nothing()
    {
        await using RunningServer server = await StartAsync(LongMembers);
        await using (PipelineClient client = await PipelineClient.OpenAsync(server))
        {
            await client.SendAsync([.. Enumerable.Range(1, 4).Select(id => Union((uint)id, LongSources)), PipelineStreamTests.Get(1_000, "k")]);
            await client.ReadAsync();
        }

        await Until.TrueAsync(() => Task.FromResult(WorkGroups.Started == 0), "no long call is under way");
        KeysExistRequest stored = new() { Keys = { Enumerable.Range(1, 4).Select(Target) } };
        Assert.Equal([false, false, false, false], (await server.CallAsync<KeysExistResponse>("/cache_client.Scs/KeysExist", stored)).Exists);
    }

    [Fact]
    public async Task Union_stops_at_its_deadline_and_stores_nothing()
    {
        await using RunningServer server = await StartAsync(LongMembers);
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        Operation union = Union(1, LongSources);
        union.DeadlineMs = 100;
        await client.SendAsync(union);
        Assert.Equal((uint)StatusCode.DeadlineExceeded, (await client.ReadResultsAsync(1))[1].Status.Code);
        await client.SendAsync(new Operation { Id = 2, ItemGetType = new ItemGetTypeRequest { Key = Target(1) } });
        Assert.NotNull((await client.ReadResultsAsync(1))[2].ItemGetType.Missing);
    }

    [Fact]
    public async Task Cancelled_long_call_changes_nothing()
    {
        await using RunningServer server = await StartAsync(LongMembers);
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync(Union(1, LongSources), new Operation { Id = 1, Cancel = new Cancel() });
        Assert.Equal((uint)StatusCode.Cancelled, (await client.ReadResultsAsync(1))[1].Status.Code);
        await client.SendAsync(new Operation { Id = 2, ItemGetType = new ItemGetTypeRequest { Key = Target(1) } });
        Assert.NotNull((await client.ReadResultsAsync(1))[2].ItemGetType.Missing);
    }

    [Fact]
    public async Task Half_closed_stream_receives_responses_of_its_long_calls()
    {
        await using RunningServer server = await StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync(Union(1));
        client.CompleteWriting();
        Assert.Equal((uint)Members, (await client.ReadResultsAsync(1))[1].SortedSetUnionStore.Length);
        Assert.Null(await client.ReadAsync());
    }

    [Fact]
    public async Task Unary_long_call_returns_its_result()
    {
        await using RunningServer server = await StartAsync();
        SortedSetUnionStoreResponse response = await server.CallAsync<SortedSetUnionStoreResponse>(
            "/cache_client.Scs/SortedSetUnionStore",
            Union(1).SortedSetUnionStore);
        Assert.Equal((uint)Members, response.Length);
    }

    [Fact]
    public async Task Unary_long_call_stops_at_its_deadline()
    {
        await using RunningServer server = await StartAsync(LongMembers);
        RpcMethod<IMessage, SortedSetUnionStoreResponse> method = new(
            "/cache_client.Scs/SortedSetUnionStore",
            new AnyMessageCodec(),
            new ProtobufCodec<SortedSetUnionStoreResponse>());
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await server.Channel.UnaryAsync(
            method,
            Union(1, LongSources).SortedSetUnionStore,
            RunningServer.CacheHeaders(),
            TimeSpan.FromMilliseconds(100),
            CancellationToken.None));
        Assert.Equal(StatusCode.DeadlineExceeded, error.Status.Code);
        await Until.TrueAsync(() => Task.FromResult(WorkGroups.Started == 0), "no long call is under way");
        KeysExistResponse exist = await server.CallAsync<KeysExistResponse>("/cache_client.Scs/KeysExist", new KeysExistRequest { Keys = { Target(1) } });
        Assert.Equal([false], exist.Exists);
    }

    [Fact]
    public async Task Short_call_on_collection_used_by_long_call_completes()
    {
        await using RunningServer server = await StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await using PipelineClient other = await PipelineClient.OpenAsync(server);
        await client.SendAsync(Enumerable.Range(1, 10).Select(id => Union((uint)id)));
        SortedSetElement element = new() { Value = CallHarness.Bytes("more"), Score = 1 };
        SortedSetPutRequest put = new() { Name = s_source, TtlMs = 60_000, Elements = { element } };
        await other.SendAsync(new Operation { Id = 1, SortedSetPut = put });
        Assert.NotNull((await other.ReadResultsAsync(1))[1].SortedSetPut);
        Assert.Equal(10, (await client.ReadResultsAsync(10)).Count);
    }

    [Fact]
    public async Task Every_renewal_in_one_message_gets_a_response()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync(new Operation { Id = 1, NearOpen = new NearOpen() });
        Assert.NotNull((await client.ReadResultsAsync(1))[1].NearOpen);
        await client.SendAsync(Enumerable.Range(1, 20_000).Select(id => new Operation { Id = (uint)id, NearRenew = new NearRenew() }));
        Assert.All((await client.ReadResultsAsync(20_000)).Values, result => Assert.NotNull(result.NearRenew));
    }

    private static async Task<RunningServer> StartAsync(int members = Members)
    {
        RunningServer server = await RunningServer.StartAsync(options => options with { MemoryBytes = 1L << 30 });
        const int batch = 100_000;
        for (int first = 0; first < members; first += batch)
        {
            SortedSetPutRequest put = new() { Name = s_source, TtlMs = 600_000 };
            put.Elements.AddRange(Enumerable.Range(first, Math.Min(batch, members - first))
                .Select(i => new SortedSetElement { Value = CallHarness.Bytes($"{i:x6}"), Score = i }));
            await server.CallAsync<SortedSetPutResponse>("/cache_client.Scs/SortedSetPut", put);
        }

        return server;
    }

    private static ByteString Target(int id) => CallHarness.Bytes($"d{id}");

    private static Operation Union(uint id, int sources = 1) => new()
    {
        Id = id,
        SortedSetUnionStore = new()
        {
            Name = Target((int)id),
            TtlMs = 600_000,
            Sources = { Enumerable.Repeat(new SortedSetUnionStoreRequest.Types.Source { Name = s_source, Weight = 1 }, sources) },
        },
    };

    // Returns a call that scans every element and removes none.
    private static Operation Remove(uint id) => new()
    {
        Id = id,
        ListRemove = new() { Name = CallHarness.Bytes("l"), AllWithValue = CallHarness.Bytes("absent") },
    };
}
