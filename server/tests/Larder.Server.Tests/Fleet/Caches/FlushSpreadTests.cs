using System.Collections.Concurrent;
using System.Globalization;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet;

/// <summary>
/// FLEET-7 while a flush spreads: a front that knows of it holds that cache's calls until all that are up know, so that nobody reads at another what was there,
/// after what is newer.
/// </summary>
public sealed class FlushSpreadTests : IAsyncLifetime, IDisposable
{
    private const string Control = "/control_client.ScsControl";
    private const string Fronts = "L:{larder}:fronts";

    private readonly RedisServer _redis = new();
    private RunningServer _first = null!;
    private RunningServer _second = null!;

    public async Task InitializeAsync()
    {
        _first = await RunningFront.StartAsync(_redis.Url);
        _second = await RunningFront.StartAsync(_redis.Url);
    }

    public async Task DisposeAsync()
    {
        await _first.DisposeAsync();
        await _second.DisposeAsync();
    }

    public void Dispose() => _redis.Dispose();

    [Fact]
    public async Task FLEET_7_a_client_of_two_fronts_never_reads_what_was_there_after_what_it_wrote_since()
    {
        const int Callers = 8;
        const int Flushes = 5;
        ConcurrentBag<string> older = [];
        using CancellationTokenSource over = new();
        Task[] callers = [.. Enumerable.Range(0, Callers).Select(caller => Task.Run(async () =>
        {
            RunningServer[] fronts = [_first, _second];
            for (long written = 1; !over.IsCancellationRequested; written++)
            {
                await fronts[(written + caller) % 2].SetAsync($"k{caller}", written.ToString(CultureInfo.InvariantCulture));
                GetResponse read = await fronts[(written + caller + 1) % 2].GetAsync($"k{caller}");
                if (read.Result == CacheResult.Hit && long.Parse(read.Value.ToStringUtf8(), CultureInfo.InvariantCulture) < written)
                {
                    older.Add($"k{caller}: {read.Value.ToStringUtf8()} after {written}");
                }
            }
        }))];
        for (int flush = 0; flush < Flushes; flush++)
        {
            await FlushAsync(flush % 2 == 0 ? _first : _second);
        }

        await over.CancelAsync();
        await Task.WhenAll(callers);
        Assert.Empty(older);
    }

    [Fact]
    public async Task FLEET_7_a_front_that_never_knows_of_a_flush_holds_up_calls_for_a_second_and_no_longer()
    {
        SayThatOneIsBehind();
        await _second.SetAsync("k", "old");
        Task flush = FlushAsync(_first);
        while (!flush.IsCompleted)
        {
            GetResponse read = await _first.GetAsync("k");
            Assert.True(read.Result == CacheResult.Miss || read.Value.ToStringUtf8() == "old");
        }

        await flush;
        Assert.Equal(CacheResult.Miss, (await _first.GetAsync("k")).Result);
        await _first.SetAsync("k", "new");
        Assert.Equal("new", (await _second.GetAsync("k")).Value.ToStringUtf8());
    }

    [Fact]
    public async Task A_front_that_ends_while_it_holds_calls_ends_them()
    {
        SayThatOneIsBehind();
        RunningServer third = await RunningFront.StartAsync(_redis.Url);
        Task flush = FlushAsync(third);
        Task<GetResponse>[] held = [.. Enumerable.Range(0, 100).Select(_ => third.GetAsync("k"))];
        await third.Server.DisposeAsync();
        foreach (Task call in (Task[])[flush, .. held])
        {
            Exception? fault = await Record.ExceptionAsync(() => call);
            Assert.True(fault is null or RpcException, $"{fault}");
        }

        await third.DisposeAsync();
    }

    // As a front that is up, and stands still: its beat is never too old.
    private void SayThatOneIsBehind() => _redis.Ask("hset", Fronts, "behind", "0 99999999999999");

    private static async Task FlushAsync(RunningServer front) =>
        await front.CallAsync<FlushCacheResponse>($"{Control}/FlushCache", new FlushCacheRequest { Name = RunningServer.Cache });
}
