using Larder.Harness.Redis;
using Larder.Redis;
using Larder.Redis.Tests;
using Larder.Server.Fleet;

namespace Larder.Server.Tests.Fleet;

/// <summary>Tests of the sweep of a deleted generation. The cluster prevents the sweep from finishing.</summary>
public sealed class GenerationSweepTests : IDisposable
{
    private const string Directory = "L:{larder}:caches";

    private readonly RedisServer _redis = new();

    public void Dispose() => _redis.Dispose();

    [Fact]
    public async Task Interrupted_sweep_is_resumed_only_by_its_claiming_gateway()
    {
        await using RedisStore store = await StallTolerantStore.StartAsync(_redis);
        Old("1.7");
        GenerationSweep sweep = new(store, TimeProvider.System);
        _redis.Ask("acl", "setuser", "default", "-scan");
        await Assert.ThrowsAsync<FleetQueryException>(() => sweep.RunAsync(default));
        Assert.Equal((true, true), (IsNoted("1.7"), IsThere("1.7")));
        // While one gateway has claimed the generation, no other gateway may sweep it.
        _redis.Ask("acl", "setuser", "default", "+scan");
        await new GenerationSweep(store, TimeProvider.System).RunAsync(default);
        Assert.Equal((true, true), (IsNoted("1.7"), IsThere("1.7")));
        await sweep.RunAsync(default);
        Assert.Equal((false, false), (IsNoted("1.7"), IsThere("1.7")));
    }

    [Fact]
    public async Task Sweep_completed_by_another_gateway_does_not_block_next_sweep()
    {
        await using RedisStore store = await StallTolerantStore.StartAsync(_redis);
        Old("1.7");
        GenerationSweep sweep = new(store, TimeProvider.System);
        _redis.Ask("acl", "setuser", "default", "-scan");
        await Assert.ThrowsAsync<FleetQueryException>(() => sweep.RunAsync(default));
        _redis.Ask("acl", "setuser", "default", "+scan");
        _redis.Ask("hdel", Directory, "s:1.7");
        Old("2.9");
        await sweep.RunAsync(default);
        Assert.Equal((false, false), (IsNoted("2.9"), IsThere("2.9")));
    }

    private void Old(string generation)
    {
        _redis.Ask("hset", Directory, "s:" + generation, "0");
        _redis.Ask("set", Key(generation), "v");
    }

    private bool IsNoted(string generation) => _redis.Ask("hexists", Directory, "s:" + generation) == "1";

    private bool IsThere(string generation) => _redis.Ask("exists", Key(generation)) == "1";

    private static string Key(string generation)
    {
        string[] numbers = generation.Split('.');
        return System.Text.Encoding.Latin1.GetString(KeyPrefix.Of(long.Parse(numbers[0]), long.Parse(numbers[1]))) + "k";
    }
}
