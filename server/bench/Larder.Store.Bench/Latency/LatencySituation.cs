namespace Larder.Store.Bench;

/// <summary>The sets that run while latencies are measured.</summary>
/// <param name="NewKeys">Whether each set creates an entry; otherwise each set overwrites an existing entry.</param>
/// <param name="ValueBytes">The length of the value.</param>
/// <param name="MaxSets">The number of sets after which the phase ends, for all threads together.</param>
/// <param name="MaxTime">The time after which the phase ends.</param>
internal sealed record LatencyTraffic(bool NewKeys, int ValueBytes, long MaxSets, TimeSpan MaxTime);

/// <summary>A situation in which latencies are measured: how the store is filled, and which sets then run.</summary>
internal sealed record LatencySituation(string Name, string Meaning, Action<LatencyRun> SetUp, LatencyTraffic Traffic)
{
    private const int SmallBytes = 100;
    private const long MaxSets = 3_000_000;

    private static readonly TimeSpan s_maxTime = TimeSpan.FromSeconds(8);
    private static readonly LatencyTraffic s_newKeys = new(NewKeys: true, SmallBytes, MaxSets, s_maxTime);

    public static readonly LatencySituation[] All =
    [
        new("at rest", $"half full of {SmallBytes}-byte values, which are overwritten", run => run.FillTo(0.5, SmallBytes), s_newKeys with { NewKeys = false }),
        new(
            "filling",
            "new entries of 1,000 bytes into an empty store, until it is nearly full",
            _ => { },
            s_newKeys with
            {
                ValueBytes = 1000,
                MaxSets = (long)(LatencyRun.LimitBytes * 0.85 / 1060),
            }),
        new(
            "growing",
            "new entries of 10 bytes into an empty store, so that each index grows again and again",
            _ => { },
            s_newKeys with
            {
                ValueBytes = 10,
                MaxSets = 4 * MaxSets,
            }),
        new("evicting", $"new entries of {SmallBytes} bytes into a full store", run => run.FillUntilEvicted(SmallBytes), s_newKeys),
        new(
            "expiring",
            $"new entries of {SmallBytes} bytes, while a third of what a nearly full store holds expires",
            run => run.FillToExpire(SmallBytes),
            s_newKeys),
        new(
            "flushing",
            $"new entries of {SmallBytes} bytes into a full store, before and after a flush of a cache that holds 15 % of it",
            run => run.FillToFlush(SmallBytes),
            s_newKeys with
            {
                MaxSets = MaxSets / 3,
            })
        {
            Flushes = true,
        },
        new("flushing in one shard", "the same in a store of one shard", run => run.FillToFlush(SmallBytes), s_newKeys with { MaxSets = MaxSets / 3 })
        {
            Flushes = true,
            Shards = 1,
        },
    ];

    /// <summary>Whether, after this phase, a cache is flushed and a second phase is measured.</summary>
    public bool Flushes { get; init; }

    public int Shards { get; init; }
}
