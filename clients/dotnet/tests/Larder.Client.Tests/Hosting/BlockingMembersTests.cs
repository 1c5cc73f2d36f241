using System.Diagnostics;
using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.Client.Tests.Hosting;

/// <summary>Tests the synchronous members of <see cref="LarderDistributedCache"/>. Their calls must complete although they block the calling thread.</summary>
[Collection(nameof(SequentialTests))]
public sealed class BlockingMembersTests
{
    private static readonly DistributedCacheEntryOptions s_sliding = new() { SlidingExpiration = TimeSpan.FromMinutes(1) };

    [Theory]
    [InlineData(Transport.Pipeline)]
    [InlineData(Transport.Unary)]
    public async Task Get_returns_when_a_span_listener_makes_a_blocking_call(Transport transport)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest() with { Transport = transport });
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions());
        int heard = 0;
        using ActivityListener listener = new()
        {
            ShouldListenTo = static source => source.Name == Telemetry.Name,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStarted = _ =>
            {
                if (Interlocked.Increment(ref heard) == 1)
                {
                    client.PingAsync().AsTask().GetAwaiter().GetResult();
                }
            },
        };
        ActivitySource.AddActivityListener(listener);
        byte[]? value = await Task.Factory.StartNew(
            () =>
            {
                cache.Set("key", [1], s_sliding);
                // The member reads the entry, and extends it with a second call.
                return cache.Get("key");
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default).WaitAsync(Eventually.Limit);
        Assert.Equal([1], value);
        Assert.InRange(heard, 4, int.MaxValue);
    }
}
