using System.Diagnostics;
using Larder.Client;
using Larder.Harness.Redis;
using Larder.Lab.Soak;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Fleet;

/// <summary>
/// Runs a fleet under load for minutes. In each minute a master is killed and returns as a replica, slots are moved, and the second gateway is killed and
/// restarted. Every response is checked. The resources of the first gateway are sampled during the run and checked for leaks afterwards.
/// </summary>
internal sealed class FleetSoak(TimeSpan duration, Action<string> say)
{
    private const int Groups = 3;
    private const int KeysOfGroup = 16;
    private const int SlotsMoved = 100;
    private const int TaggedKeys = 8;

    private static readonly TimeSpan s_round = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_betweenSamples = TimeSpan.FromSeconds(10);

    private readonly List<FleetSoakSample> _samples = [];
    private readonly List<FleetSoakRound> _rounds = [];
    private readonly HashSet<int> _processes = [];
    private readonly List<(bool Passed, string Text)> _checks = [];

    public async Task<FleetSoakResult> RunAsync()
    {
        await using (FleetUnderTest fleet = await FleetUnderTest.StartAsync().ConfigureAwait(false))
        {
            await LoadAsync(fleet).ConfigureAwait(false);
            Note(fleet);
            // The load has closed its client, so the gateway must release all resources of the client.
            await Wait.UntilAsync(
                async () => await fleet.First.StatsAsync().ConfigureAwait(false) is { Streams: 0, Connections: 0, Gateway: { Outstanding: 0, Waiting: 0 } },
                "the first gateway to have no stream, connection or command").ConfigureAwait(false);
            await SampleAsync(fleet, Stopwatch.GetTimestamp()).ConfigureAwait(false);
            _checks.Add((true, "after the load, the first gateway has no stream, no client connection, and no command in flight or queued"));
            int before = _samples[0].Descriptors;
            int after = _samples[^1].Descriptors;
            // The first gateway keeps connections to nodes, and these nodes change with each failover. A few more descriptors are therefore not a leak.
            _checks.Add((after <= before + FleetCluster.Masters, Say($"file descriptors of the first gateway: {before} at the start, {after} after the load")));
            _samples.RemoveAt(_samples.Count - 1);
        }

        int[] left = [.. _processes.Where(static id => Directory.Exists($"/proc/{id}"))];
        _checks.Add((left.Length == 0, Say($"{left.Length} of {_processes.Count} started processes are still running")));
        return new FleetSoakResult(duration, _checks, _rounds, _samples);
    }

    private async Task LoadAsync(FleetUnderTest fleet)
    {
        await using CacheClient client = await fleet.ClientAsync().ConfigureAwait(false);
        var loads = new List<NumberedLoad>();
        var slots = new List<int>();
        foreach (RedisServer master in await fleet.Cluster.MastersAsync().ConfigureAwait(false))
        {
            IReadOnlyList<string> slotTags = await fleet.Cluster.TagsOfAsync(master, KeysOfGroup).ConfigureAwait(false);
            loads.Add(new NumberedLoad(client, FleetUnderTest.Keys("soak", slotTags)));
            slots.Add(KeySlot.Of(slotTags[0]));
        }

        foreach (NumberedLoad load in loads)
        {
            await load.StartAsync().ConfigureAwait(false);
        }

        // The keys without a {tag} are on all masters.
        var tags = new TagLoad(client.Cache(NumberedLoad.CacheName), [.. Enumerable.Range(0, TaggedKeys).Select(static number => Say($"tagged {number}"))]);
        tags.Start();
        long begun = Stopwatch.GetTimestamp();
        using var stop = new CancellationTokenSource();
        Task sampling = SampleUntilAsync(fleet, begun, stop.Token);
        for (int round = 0; Stopwatch.GetElapsedTime(begun) < duration; round++)
        {
            long roundAt = Stopwatch.GetTimestamp();
            int group = round % Groups;
            _rounds.Add(await RoundAsync(fleet, loads[group], tags, slots, group).ConfigureAwait(false));
            say($"round {round + 1}: {_rounds[^1]}");
            TimeSpan left = s_round - Stopwatch.GetElapsedTime(roundAt);
            await Task.Delay(left > TimeSpan.Zero ? left : TimeSpan.Zero).ConfigureAwait(false);
        }

        await stop.CancelAsync().ConfigureAwait(false);
        await sampling.ConfigureAwait(false);
        await tags.StopAsync().ConfigureAwait(false);
        LoadCounts[] counts = await Task.WhenAll(loads.Select(load => load.StopAsync(begun))).ConfigureAwait(false);
        Judge(counts);
        Judge(tags);
    }

    private async Task<FleetSoakRound> RoundAsync(FleetUnderTest fleet, NumberedLoad load, TagLoad tags, List<int> slots, int group)
    {
        Note(fleet);
        RedisServer master = await fleet.Cluster.MasterOfAsync(slots[group]).ConfigureAwait(false);
        RedisServer replica = (await fleet.Cluster.ReplicasOfAsync(master).ConfigureAwait(false))[0];
        long killedAt = Stopwatch.GetTimestamp();
        _ = load.Counts(killedAt);
        tags.OnKill();
        master.Kill();
        TimeSpan promoted = await MasterFaults.UntilMasterAsync(replica, killedAt).ConfigureAwait(false);
        await load.UntilAnsweredAsync().ConfigureAwait(false);
        TimeSpan worked = load.Counts(killedAt).WorkedAgainAfter;
        master.Restart();
        await fleet.Cluster.UntilHealthyAsync().ConfigureAwait(false);
        Note(fleet);

        long reshardAt = Stopwatch.GetTimestamp();
        RedisServer from = await fleet.Cluster.MasterOfAsync(slots[(group + 1) % Groups]).ConfigureAwait(false);
        RedisServer to = (await fleet.Cluster.MastersAsync().ConfigureAwait(false)).First(other => other != from);
        await SlotFaults.MoveAsync(from, to, SlotsMoved).ConfigureAwait(false);
        TimeSpan resharded = Stopwatch.GetElapsedTime(reshardAt);

        long gatewayAt = Stopwatch.GetTimestamp();
        fleet.Second.Kill();
        await load.UntilAnsweredAsync().ConfigureAwait(false);
        await fleet.Second.RestartAsync().ConfigureAwait(false);
        await fleet.Second.UntilReadyAsync().ConfigureAwait(false);
        Note(fleet);
        return new FleetSoakRound(promoted, worked, resharded, Stopwatch.GetElapsedTime(gatewayAt));
    }

    private void Judge(LoadCounts[] counts)
    {
        long answered = counts.Sum(static one => one.Answered);
        long failed = counts.Sum(static one => one.Failed);
        IEnumerable<IGrouping<string, long>> kinds = counts.SelectMany(static one => one.Errors).GroupBy(static pair => pair.Key, static pair => pair.Value);
        string errors = string.Join(", ", kinds.Select(kind => Say($"{kind.Sum()} × {kind.Key}")));
        long wrong = counts.Sum(static one => one.Stale + one.Crossed);
        _checks.Add((answered > 0, Say($"{answered:N0} calls completed, {failed:N0} failed ({errors})")));
        _checks.Add((true, Say($"keys with lost acknowledged writes in {_rounds.Count} failovers: {counts.Sum(static one => one.Lost)}")));
        _checks.Add((wrong == 0, Say($"{wrong} reads of stale or wrong values")));
        long[] resident = [.. _samples.Select(static sample => sample.ResidentBytes)];
        _checks.Add(SoakVerdict.Flat("resident memory of the first gateway", SoakVerdict.FlatResidentBytes, resident));
    }

    private void Judge(TagLoad tags)
    {
        string counted = Say($"{tags.Reads:N0} values with tags read, {tags.Removals:N0} removals of tags acknowledged, {tags.Failed:N0} calls failed");
        _checks.Add((tags.Removals > 0, counted));
        _checks.Add((true, Say($"values that were read after a removal of their tag that a failover lost: {tags.Lost}")));
        _checks.Add((tags.Revived == 0, Say($"{tags.Revived} values that were read after another removal of their tag")));
    }

    private async Task SampleUntilAsync(FleetUnderTest fleet, long begun, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            await Task.Delay(s_betweenSamples, stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await SampleAsync(fleet, begun).ConfigureAwait(false);
        }
    }

    private async Task SampleAsync(FleetUnderTest fleet, long begun)
    {
        if (await fleet.First.StatsAsync().ConfigureAwait(false) is { Gateway: { } gateway } stats)
        {
            _samples.Add(new FleetSoakSample(
                Stopwatch.GetElapsedTime(begun),
                stats.ResidentBytes,
                Directory.GetFiles($"/proc/{fleet.First.ProcessId}/fd").Length,
                stats.Streams,
                gateway.Outstanding,
                gateway.Waiting));
        }
    }

    private void Note(FleetUnderTest fleet) =>
        _processes.UnionWith([.. fleet.Cluster.Nodes.Select(static node => node.Process.Id), fleet.First.ProcessId, fleet.Second.ProcessId]);
}
