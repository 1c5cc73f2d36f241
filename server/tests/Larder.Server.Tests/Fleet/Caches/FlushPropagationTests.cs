using System.Collections.Concurrent;
using System.Globalization;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Redis.Tests;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet;

/// <summary>
/// Tests of FLEET-7 while a flush propagates. A gateway that has received the flush delays the calls of that cache until all running gateways have received it.
/// Otherwise, a client could read a newer value and then an old value at another gateway.
/// </summary>
public sealed class FlushPropagationTests : GatewayPair
{
    private const string Gateways = "L:{larder}:fronts";

    [Fact]
    public async Task FLEET_7_client_of_two_gateways_never_reads_old_value_after_write()
    {
        const int Callers = 8;
        const int Flushes = 5;
        ConcurrentBag<string> older = [];
        using CancellationTokenSource over = new();
        Task[] callers = [.. Enumerable.Range(0, Callers).Select(caller => Task.Run(async () =>
        {
            RunningServer[] gateways = [First, Second];
            for (long written = 1; !over.IsCancellationRequested; written++)
            {
                await gateways[(written + caller) % 2].SetAsync($"k{caller}", written.ToString(CultureInfo.InvariantCulture));
                GetResponse read = await gateways[(written + caller + 1) % 2].GetAsync($"k{caller}");
                if (read.Result == CacheResult.Hit && long.Parse(read.Value.ToStringUtf8(), CultureInfo.InvariantCulture) < written)
                {
                    older.Add($"k{caller}: {read.Value.ToStringUtf8()} after {written}");
                }
            }
        }))];
        for (int flush = 0; flush < Flushes; flush++)
        {
            await (flush % 2 == 0 ? First : Second).FlushAsync();
        }

        await over.CancelAsync();
        await Task.WhenAll(callers);
        Assert.Empty(older);
    }

    [Fact]
    public async Task FLEET_7_unresponsive_gateway_delays_calls_for_at_most_one_second()
    {
        MarkGatewayOutdated();
        await Second.SetAsync("k", "old");
        Task flush = First.FlushAsync();
        while (!flush.IsCompleted)
        {
            GetResponse read = await First.GetAsync("k");
            Assert.True(read.Result == CacheResult.Miss || read.Value.ToStringUtf8() == "old");
        }

        await flush;
        Assert.Equal(CacheResult.Miss, (await First.GetAsync("k")).Result);
        await First.SetAsync("k", "new");
        Assert.Equal("new", (await Second.GetAsync("k")).Value.ToStringUtf8());
    }

    [Fact]
    public async Task Held_calls_end_when_their_gateway_stops()
    {
        MarkGatewayOutdated();
        RunningServer third = await RunningGateway.StartAsync(Redis.Url);
        Task flush = third.FlushAsync();
        Task<GetResponse>[] held = [.. Enumerable.Range(0, 100).Select(_ => third.GetAsync("k"))];
        await third.Server.DisposeAsync();
        foreach (Task call in (Task[])[flush, .. held])
        {
            Exception? fault = await Record.ExceptionAsync(() => call);
            Assert.True(fault is null or RpcException, $"{fault}");
        }

        await third.DisposeAsync();
    }

    // Simulates a gateway that runs but makes no progress. Its heartbeat is always recent.
    private void MarkGatewayOutdated() => Redis.Ask("hset", Gateways, "behind", "0 99999999999999");
}
