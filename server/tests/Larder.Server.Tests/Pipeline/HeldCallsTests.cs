using Larder.Protocol;
using Larder.Wire;

namespace Larder.Server.Tests.Pipeline;

/// <summary>Tests of calls that must wait. Their responses are sent later and out of order. Only fault injection causes such waits.</summary>
public sealed class HeldCallsTests
{
    [Fact]
    public async Task Slow_call_does_not_delay_later_calls()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { FaultInjection = true });
        await using PipelineClient client = await PipelineClient.OpenAsync(server, Delayed("increment", delayMs: 300));
        await client.SendAsync(Increment(1), PipelineStreamTests.Get(2, "k"));
        BatchResult? first = await client.ReadAsync();
        Assert.Equal(2u, Assert.Single(first!.Results).Id);
        Assert.Equal(1, (await client.ReadResultsAsync(1))[1].Increment.Value);
    }

    [Fact]
    public async Task Call_past_its_deadline_is_not_executed()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { FaultInjection = true });
        await using PipelineClient client = await PipelineClient.OpenAsync(server, Delayed("increment", delayMs: 60_000));
        Operation late = Increment(1);
        late.DeadlineMs = 50;
        await client.SendAsync(late);
        Assert.Equal((uint)StatusCode.DeadlineExceeded, (await client.ReadResultsAsync(1))[1].Status.Code);
        await client.SendAsync(PipelineStreamTests.Get(2, "n"));
        Assert.Equal(CacheResult.Miss, (await client.ReadResultsAsync(1))[2].Get.Result);
    }

    [Fact]
    public async Task N8_cancelled_call_is_not_executed()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { FaultInjection = true });
        await using PipelineClient client = await PipelineClient.OpenAsync(server, Delayed("increment", delayMs: 60_000));
        await client.SendAsync(Increment(1), new Operation { Id = 1, Cancel = new Cancel() }, PipelineStreamTests.Get(2, "n"));
        Dictionary<uint, Result> results = await client.ReadResultsAsync(2);
        Assert.Equal((uint)StatusCode.Cancelled, results[1].Status.Code);
        Assert.Equal("not_executed", results[1].Status.Cause);
        Assert.Equal(CacheResult.Miss, results[2].Get.Result);
    }

    [Fact]
    public async Task Delayed_calls_return_responses_when_their_number_exceeds_the_limit()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { FaultInjection = true });
        await using PipelineClient client = await PipelineClient.OpenAsync(server, Delayed("get", delayMs: 20));
        const int Calls = 3_000;
        await client.SendAsync(Enumerable.Range(0, Calls).Select(id => PipelineStreamTests.Get((uint)id, "k")));
        Assert.Equal(Calls, (await client.ReadResultsAsync(Calls)).Count);
    }

    [Fact]
    public async Task Injected_error_affects_only_the_named_RPCs()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { FaultInjection = true });
        RpcHeaders faults = RunningServer.CacheHeaders().With("return-error", "unavailable").With("error-rpcs", "set");
        await using PipelineClient client = await PipelineClient.OpenAsync(server, faults);
        await client.SendAsync(PipelineStreamTests.Set(1, "k", "v"), PipelineStreamTests.Get(2, "k"));
        Dictionary<uint, Result> results = await client.ReadResultsAsync(2);
        Assert.Equal((uint)StatusCode.Unavailable, results[1].Status.Code);
        Assert.Equal(CacheResult.Miss, results[2].Get.Result);
    }

    private static RpcHeaders Delayed(string rpcs, int delayMs) =>
        RunningServer.CacheHeaders().With("delay-rpcs", rpcs).With("delay-ms", $"{delayMs}");

    private static Operation Increment(uint id) => new()
    {
        Id = id,
        Increment = new IncrementRequest { Key = Calls.CallHarness.Bytes("n"), Amount = 1, TtlMs = 60_000 },
    };
}
