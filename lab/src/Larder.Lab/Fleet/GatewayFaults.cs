using System.Diagnostics;
using Larder.Client;
using Larder.Harness.Proxies;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Fleet;

/// <summary>
/// The scenarios S5h, S5i and S5j: a gateway is killed, a gateway is cut off from its client, and a gateway must learn of another gateway's flush.
/// </summary>
internal static class GatewayFaults
{
    // FLEET-7: every running gateway learns of the flush within a second.
    private static readonly TimeSpan s_flushKnown = TimeSpan.FromSeconds(1);
    private static readonly string[] s_tags = [.. Enumerable.Range(0, 24).Select(number => $"t{number}")];

    /// <summary>S5h: one of two gateways is killed with SIGKILL under load and restarted.</summary>
    public static async Task<FaultResult> KilledAsync(FleetUnderTest fleet)
    {
        await using CacheClient client = await fleet.ClientAsync().ConfigureAwait(false);
        var load = new NumberedLoad(client, FleetUnderTest.Keys("S5h", s_tags));
        await load.StartAsync().ConfigureAwait(false);
        await load.UntilAnsweredAsync().ConfigureAwait(false);
        long faultAt = Stopwatch.GetTimestamp();
        fleet.First.Kill();
        await load.UntilAnsweredAsync().ConfigureAwait(false);
        await fleet.First.RestartAsync().ConfigureAwait(false);
        await fleet.First.UntilReadyAsync().ConfigureAwait(false);
        await FleetUnderTest.UntilConnectedAsync(client).ConfigureAwait(false);
        await load.UntilAnsweredAsync().ConfigureAwait(false);
        LoadCounts counts = await load.StopAsync(faultAt).ConfigureAwait(false);
        return new FaultResult("S5h", counts, null, "", [.. FleetUnderTest.Judge(counts, mayFail: false, mayLose: false)]);
    }

    /// <summary>S5i: for some time no data passes between the client and one of its gateways, but no connection is closed.</summary>
    public static async Task<FaultResult> CutOffAsync(FleetUnderTest fleet, TimeSpan length)
    {
        await using var proxy = new FaultProxy(fleet.First.Endpoint);
        await using CacheClient client = await FleetUnderTest.ClientAsync(proxy.Endpoint, fleet.Second.Endpoint).ConfigureAwait(false);
        var load = new NumberedLoad(client, FleetUnderTest.Keys("S5i", s_tags));
        await load.StartAsync().ConfigureAwait(false);
        await load.UntilAnsweredAsync().ConfigureAwait(false);
        long faultAt = Stopwatch.GetTimestamp();
        proxy.IsCut = true;
        await Task.Delay(length).ConfigureAwait(false);
        await load.UntilAnsweredAsync().ConfigureAwait(false);
        proxy.IsCut = false;
        proxy.ResetAll();
        await FleetUnderTest.UntilConnectedAsync(client).ConfigureAwait(false);
        LoadCounts counts = await load.StopAsync(faultAt).ConfigureAwait(false);
        List<string> broken = [.. FleetUnderTest.Judge(counts, mayFail: true, mayLose: false)];
        if (counts.Errors.Keys.Any(error => error.Split(' ')[1] is not (nameof(CacheErrorCode.Timeout) or nameof(CacheErrorCode.Unavailable))))
        {
            broken.Add($"unexpected errors: {string.Join(", ", counts.Errors)}");
        }

        return new FaultResult("S5i", counts, null, Say($"network cut for {length.TotalSeconds:N0} s"), broken);
    }

    /// <summary>
    /// S5j: one gateway flushes. One second after the flush succeeded, the other gateway must not return old values. A caller that writes through one gateway
    /// and reads through the other must never read an older value than it wrote, not even during the flush.
    /// </summary>
    public static async Task<FaultResult> FlushedAsync(FleetUnderTest fleet, int rounds)
    {
        await using CacheClient one = await FleetUnderTest.ClientAsync(fleet.First.Endpoint).ConfigureAwait(false);
        await using CacheClient two = await FleetUnderTest.ClientAsync(fleet.Second.Endpoint).ConfigureAwait(false);
        long answered = 0;
        long failed = 0;
        long old = 0;
        TimeSpan latest = TimeSpan.Zero;
        TimeSpan longestFlush = TimeSpan.Zero;
        Cache written = one.Cache(NumberedLoad.CacheName);
        Cache read = two.Cache(NumberedLoad.CacheName);
        var crossing = new FlushCrossing(written, read);
        for (int round = 0; round < rounds; round++)
        {
            foreach (string key in FleetUnderTest.Keys("S5j", s_tags))
            {
                bool isThere = await written.SetAsync(key, Say($"{key} {round}")).ConfigureAwait(false) is { IsSuccess: true }
                    && await read.GetAsync(key).ConfigureAwait(false) is { IsHit: true };
                failed += isThere ? 0 : 1;
            }

            long flushedAt = Stopwatch.GetTimestamp();
            Task<CacheResult> flush = one.FlushCacheAsync(NumberedLoad.CacheName).AsTask();
            await crossing.RunAsync(flush).ConfigureAwait(false);
            failed += await flush.ConfigureAwait(false) is { IsSuccess: true } ? 0 : 1;
            TimeSpan took = Stopwatch.GetElapsedTime(flushedAt);
            longestFlush = took > longestFlush ? took : longestFlush;
            flushedAt = Stopwatch.GetTimestamp();
            do
            {
                foreach (string key in FleetUnderTest.Keys("S5j", s_tags))
                {
                    long askedAt = Stopwatch.GetTimestamp();
                    LookupResult<CacheValue> get = await read.GetAsync(key).ConfigureAwait(false);
                    answered++;
                    failed += get is { IsError: true } ? 1 : 0;
                    if (get.IsHit)
                    {
                        TimeSpan after = Stopwatch.GetElapsedTime(flushedAt, askedAt);
                        latest = after > latest ? after : latest;
                        old += after >= s_flushKnown ? 1 : 0;
                    }
                }
            }
            while (Stopwatch.GetElapsedTime(flushedAt) < s_flushKnown * 1.2);
        }

        failed += crossing.Failed;
        Dictionary<string, long> errors = failed == 0 ? [] : new() { ["failed set, get or flush"] = failed };
        var counts = new LoadCounts { Answered = answered + crossing.Answered, Errors = errors, Stale = old + crossing.Older };
        string answers = latest == TimeSpan.Zero ? "no stale response after a completed flush"
            : Say($"last stale response {latest.TotalMilliseconds:N0} ms after the flush completed");
        string seen = Say($"{rounds} flushes (longest: {longestFlush.TotalMilliseconds:N0} ms); {answers}; meanwhile {crossing.Answered:N0} calls over both ")
            + Say($"gateways (longest: {crossing.Longest.TotalMilliseconds:N0} ms); {crossing.Older} of them returned an older value");
        return new FaultResult("S5j", counts, null, seen, [.. FleetUnderTest.Judge(counts, mayFail: false, mayLose: false)]);
    }
}
