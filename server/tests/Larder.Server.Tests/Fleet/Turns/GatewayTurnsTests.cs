using System.Globalization;
using System.Text.RegularExpressions;
using Google.Protobuf;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Turns;

/// <summary>Tests of expensive calls through a gateway in front of one real node.</summary>
public sealed class GatewayTurnsTests : IDisposable
{
    // ListRemove scans a list of this many elements in two halves. Each half has at least seven parts.
    private const int Elements = 200_000;

    // The number of expensive calls is larger than the number that any machine completes while the neighbour makes its few calls.
    private const int Expensive = 500;

    private readonly RedisServer _redis = new();

    public void Dispose() => _redis.Dispose();

    [Fact]
    public async Task Calls_of_other_clients_complete_while_expensive_calls_are_queued()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await FillAsync(gateway);
        await using PipelineClient attacker = await PipelineClient.OpenAsync(gateway);
        await attacker.SendAsync(Enumerable.Range(1, Expensive).Select(id => Remove((uint)id)));
        await QueuedAsync(gateway);
        await using RpcChannel channel = gateway.OpenChannel();
        await using PipelineClient neighbour = await PipelineClient.OpenAsync(channel);
        for (uint id = 1; id <= 20; id += 2)
        {
            Assert.Equal(CacheResult.Ok, (await neighbour.AskAsync(PipelineStreamTests.Set(id, "k", "v"))).Set.Result);
            Assert.Equal(CacheResult.Hit, (await neighbour.AskAsync(PipelineStreamTests.Get(id + 1, "k"))).Get.Result);
        }

        // The attacker's cheap calls run before its earlier expensive calls. A neighbour's expensive call also gets a turn.
        await attacker.SendAsync(PipelineStreamTests.Get(Expensive + 1, "k"));
        Result? own = null;
        while (own is null)
        {
            BatchResult message = await attacker.ReadAsync() ?? throw new InvalidOperationException("the stream ended");
            own = message.Results.FirstOrDefault(result => result.Id == Expensive + 1);
        }

        Assert.Equal(CacheResult.Hit, own.Get?.Result);
        Assert.Equal((uint)Elements, (await neighbour.AskAsync(Remove(100))).ListRemove?.Found.Length);
        Assert.True(gateway.Server.Turns!.Figures.Waiting > Expensive / 2, $"{gateway.Server.Turns.Figures} wait");
    }

    [Fact]
    public async Task Closing_a_stream_drops_its_queued_calls()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await FillAsync(gateway);
        PipelineClient attacker = await PipelineClient.OpenAsync(gateway);
        await attacker.SendAsync(Enumerable.Range(1, Expensive).Select(id => Remove((uint)id)));
        await QueuedAsync(gateway);
        await attacker.DisposeAsync();
        await NothingWaitsAsync(gateway);
        int ran = PartsRead();
        Assert.InRange(ran, 0, Expensive * (Elements / 16_384) / 2);
        Assert.Equal(CacheResult.Ok, (await gateway.SetAsync("k", "v")).Result);
        Assert.Equal(ran, PartsRead());
    }

    [Fact]
    public async Task Queued_calls_fail_at_their_deadline_without_being_sent()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await FillAsync(gateway);
        await using PipelineClient client = await PipelineClient.OpenAsync(gateway);
        await client.SendAsync(Enumerable.Range(1, Expensive).Select(id =>
        {
            Operation operation = Remove((uint)id);
            operation.DeadlineMs = 300;
            return operation;
        }));
        Dictionary<uint, Result> results = await client.ReadResultsAsync(Expensive);
        Assert.All(
            results.Values.Where(result => result.OutcomeCase == Result.OutcomeOneofCase.Status),
            result => Assert.Equal((uint)StatusCode.DeadlineExceeded, result.Status.Code));
        Assert.True(results.Values.Count(result => result.OutcomeCase == Result.OutcomeOneofCase.Status) > Expensive / 2);
        await NothingWaitsAsync(gateway);
    }

    [Fact]
    public async Task ListRemove_removes_every_match_from_a_long_list()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        ByteString name = CallHarness.Bytes("l");
        ListConcatenateBackRequest push = new() { Name = name, TtlMs = 600_000 };
        push.Values.AddRange(Enumerable.Range(0, Elements).Select(number => CallHarness.Bytes(number % 7 == 0 ? "x" : $"{number}")));
        await gateway.CallAsync<ListConcatenateBackResponse>("/cache_client.Scs/ListConcatenateBack", push);
        ListRemoveRequest remove = new() { Name = name, AllWithValue = CallHarness.Bytes("x") };
        ListRemoveResponse removed = await gateway.CallAsync<ListRemoveResponse>("/cache_client.Scs/ListRemove", remove);
        string[] left = [.. Enumerable.Range(0, Elements).Where(number => number % 7 != 0).Select(number => $"{number}")];
        Assert.Equal((uint)left.Length, removed.Found.Length);
        ListFetchResponse fetched = await gateway.CallAsync<ListFetchResponse>("/cache_client.Scs/ListFetch", new ListFetchRequest { Name = name });
        Assert.Equal(left, fetched.Found.Elements.Select(each => each.ToStringUtf8()));
    }

    [Fact]
    public async Task ListRemove_deletes_a_long_list_if_every_element_matches()
    {
        await using RunningServer gateway = await RunningGateway.StartAsync(_redis.Url);
        await FillAsync(gateway);
        ListRemoveRequest remove = new() { Name = CallHarness.Bytes("l"), AllWithValue = CallHarness.Bytes("e") };
        ListRemoveResponse removed = await gateway.CallAsync<ListRemoveResponse>("/cache_client.Scs/ListRemove", remove);
        Assert.Equal(ListRemoveResponse.OutcomeOneofCase.Found, removed.OutcomeCase);
        Assert.Equal(0u, removed.Found.Length);
        removed = await gateway.CallAsync<ListRemoveResponse>("/cache_client.Scs/ListRemove", remove);
        Assert.Equal(ListRemoveResponse.OutcomeOneofCase.Missing, removed.OutcomeCase);
    }

    private static Operation Remove(uint id) => new()
    {
        Id = id,
        ListRemove = new ListRemoveRequest { Name = CallHarness.Bytes("l"), AllWithValue = CallHarness.Bytes("absent") },
    };

    private static async Task FillAsync(RunningServer gateway)
    {
        ListConcatenateBackRequest push = new() { Name = CallHarness.Bytes("l"), TtlMs = 600_000 };
        push.Values.AddRange(Enumerable.Repeat(CallHarness.Bytes("e"), Elements));
        await gateway.CallAsync<ListConcatenateBackResponse>("/cache_client.Scs/ListConcatenateBack", push);
    }

    private static Task QueuedAsync(RunningServer gateway) =>
        Eventually.UntilAsync(() => Task.FromResult(gateway.Server.Turns!.Figures.Waiting > Expensive / 2), "the expensive calls are queued");

    private static Task NothingWaitsAsync(RunningServer gateway) =>
        Eventually.UntilAsync(() => Task.FromResult(gateway.Server.Turns!.Figures == (0, 0)), "nothing waits");

    // Returns the number of parts read. Each LRANGE command reads one part of the list.
    private int PartsRead()
    {
        Match calls = Regex.Match(_redis.Ask("info", "commandstats"), "cmdstat_lrange:calls=([0-9]+)");
        return calls.Success ? int.Parse(calls.Groups[1].ValueSpan, CultureInfo.InvariantCulture) : 0;
    }
}
