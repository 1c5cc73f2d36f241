using Larder.Client.Tests.Support;
using Larder.Protocol;
using Larder.Wire;

namespace Larder.Client.Tests.Near;

/// <summary>Tests the ways in which a call can end, and their effects on copies and on near gets in flight (NEAR-22). The test plays the server.</summary>
public sealed class NearInvalidationTests
{
    [Fact]
    public async Task Write_that_times_out_drops_the_near_copy()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1");
        ValueTask<CacheResult> set = script.Cache.WithTimeout(TimeSpan.FromMilliseconds(100)).SetAsync("k", "v2");
        await script.Stream.NextAsync(Operation.CallOneofCase.Set);
        script.Time.AdvanceMs(99);
        Assert.Equal("v1", script.Served("k"));
        script.Time.AdvanceMs(1);
        Assert.Equal(CacheErrorCode.Timeout, Expect.Error(await Eventually.Within(set)).Code);
        Assert.Null(script.Served("k"));
    }

    [Fact]
    public async Task Cancelled_write_drops_the_near_copy()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1");
        using CancellationTokenSource cancel = new();
        ValueTask<CacheResult> set = script.Cache.SetAsync("k", "v2", cancellationToken: cancel.Token);
        await script.Stream.NextAsync(Operation.CallOneofCase.Set);
        await cancel.CancelAsync();
        Assert.Equal(CacheErrorCode.Cancelled, Expect.Error(await Eventually.Within(set)).Code);
        Assert.Null(script.Served("k"));
    }

    [Fact]
    public async Task Failed_write_drops_the_near_copy()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1");
        ValueTask<CacheResult> set = script.Cache.SetAsync("k", "v2");
        Operation asked = await script.Stream.NextAsync(Operation.CallOneofCase.Set);
        await script.Stream.SendAsync(new Result { Id = asked.Id, Status = new CallStatus { Code = (uint)StatusCode.InvalidArgument } });
        Expect.Error(await Eventually.Within(set));
        Assert.Null(script.Served("k"));
    }

    [Fact]
    public async Task Response_of_get_sent_before_a_write_is_not_cached()
    {
        await using NearScript script = await NearScript.OpenAsync();
        ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("k");
        Operation asked = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        ValueTask<CacheResult> set = script.Cache.SetAsync("k", "v2");
        Operation write = await script.Stream.NextAsync(Operation.CallOneofCase.Set);
        await script.Stream.SendAsync(new Result { Id = write.Id, Set = new Protocol.SetResponse { Result = Protocol.CacheResult.Ok } });
        Expect.Success(await Eventually.Within(set));
        await script.Stream.SendAsync(ScriptedStream.Found(asked, "v1"));
        Expect.Hit(await Eventually.Within(get));
        Assert.Equal((null, 1), (script.Served("k"), script.Figures.Poisoned));
    }

    [Fact]
    public async Task Out_of_order_near_get_responses_leave_no_copy()
    {
        await using NearScript script = await NearScript.OpenAsync();
        ValueTask<LookupResult<CacheValue>> first = script.Cache.GetAsync("k");
        Operation early = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        ValueTask<LookupResult<CacheValue>> second = script.Cache.GetAsync("k");
        Operation late = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        await script.Stream.SendAsync(ScriptedStream.Found(late, "v2"), ScriptedStream.Found(early, "v1"));
        Assert.Equal("v2", Expect.Hit(await Eventually.Within(second)).Text);
        Assert.Equal("v1", Expect.Hit(await Eventually.Within(first)).Text);
        Assert.Null(script.Served("k"));
    }

    [Fact]
    public async Task Late_response_of_cancelled_near_get_leaves_no_copy()
    {
        await using NearScript script = await NearScript.OpenAsync();
        using CancellationTokenSource cancel = new();
        ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("k", cancel.Token);
        Operation asked = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        await cancel.CancelAsync();
        Expect.Error(await Eventually.Within(get));
        Assert.Equal(0, script.Client.NearReads!.State.InFlight);
        await script.Stream.NextAsync(Operation.CallOneofCase.Cancel);
        await script.ReadAsync("k", "v2");
        await script.SayAsync(new BatchResult { Results = { ScriptedStream.Found(asked, "v1") } });
        Assert.Equal(("v2", 1), (script.Served("k"), script.Figures.Kept));
    }

    [Fact]
    public async Task Retried_near_get_ignores_invalidations_received_before_the_retry()
    {
        await using NearScript script = await NearScript.OpenAsync();
        ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("k");
        Operation asked = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        await script.SayAsync(new BatchResult
        {
            Invalidated = { 6 },
            Results = { new Result { Id = asked.Id, Status = new CallStatus { Code = (uint)StatusCode.Unavailable, Cause = RpcException.NotExecutedCause } } },
        });
        Assert.Equal(0, script.Client.NearReads!.State.InFlight);
        Task<Operation> again = script.Stream.NextAsync(Operation.CallOneofCase.Get);
        await script.Time.AdvanceUntilAsync(again, TimeSpan.FromMilliseconds(1));
        Assert.True((await again).Near);
        await script.Stream.SendAsync(ScriptedStream.Found(await again, "v1"));
        Expect.Hit(await Eventually.Within(get));
        Assert.Equal((1, 1), (script.Figures.Kept, script.Figures.Copies));
    }

    [Fact]
    public async Task Near_get_retried_as_unary_call_leaves_no_copy()
    {
        await using NearScript script = await NearScript.OpenAsync();
        ValueTask<LookupResult<CacheValue>> other = script.Cache.GetAsync("k");
        Operation earlier = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        ValueTask<LookupResult<CacheValue>> get = script.Cache.GetAsync("k");
        Operation asked = await script.Stream.NextAsync(Operation.CallOneofCase.Get);
        await script.Stream.SendAsync(new Result { Id = asked.Id, Ticket = 7, TtlLeftMs = 60_000, UseUnary = new UseUnary() });
        Assert.Equal("unary", Expect.Hit(await Eventually.Within(get)).Text);
        await script.Stream.SendAsync(ScriptedStream.Found(earlier, "v1"));
        Expect.Hit(await Eventually.Within(other));
        Assert.Equal((null, 0), (script.Served("k"), script.Figures.Kept));
    }

    [Fact]
    public async Task Disposed_client_serves_no_near_copies()
    {
        await using NearScript script = await NearScript.OpenAsync();
        await script.ReadAsync("k", "v1");
        await script.Client.DisposeAsync();
        Assert.Null(script.Served("k"));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await script.Cache.GetAsync("k"));
    }
}
