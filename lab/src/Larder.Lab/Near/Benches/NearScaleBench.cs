using System.Diagnostics;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Lab.Fleet;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Near;

/// <summary>
/// Measures a server, or a gateway to a Redis Cluster, with up to 5,000 near streams: writes per second, the delay of notifications, memory and CPU time. Each
/// stream has its own connection.
/// </summary>
internal static class NearScaleBench
{
    private const int Keys = 1_000;
    private const int HeldKeys = 10;
    private const int InFlight = 200;
    private const int DelayRounds = 20;
    private const double Seconds = 3;
    private const double ReadsPerSecond = 5_000;
    private const double MaxDelayMs = 1_000;

    /// <summary>Gets the numbers of near streams.</summary>
    public static IReadOnlyList<int> Streams { get; } = [0, 100, 1_000, 5_000];

    /// <summary>Runs the measurement.</summary>
    /// <param name="servers">The kind of server: <c>memory</c>, or <c>fleet</c> for one gateway to a cluster of three masters.</param>
    /// <param name="turns">The number of rounds.</param>
    /// <param name="program">The server to measure, or null for the server of this checkout. Not used for a fleet.</param>
    /// <param name="streams">The numbers of near streams.</param>
    /// <param name="say">Receives the progress.</param>
    public static async Task<NearSection> RunAsync(
        string servers, int turns, string? program, IReadOnlyList<int> streams, Action<string> say)
    {
        using FleetCluster? cluster = servers == "fleet" ? await FleetCluster.StartAsync(replicas: 0).ConfigureAwait(false) : null;
        Dictionary<int, List<Measurement>> all = streams.ToDictionary(static count => count, static _ => new List<Measurement>());
        for (int turn = 0; turn < turns; turn++)
        {
            foreach (int count in turn % 2 == 0 ? streams : streams.Reverse())
            {
                Measurement measured = await MeasureAsync(count, program, cluster?.Url).ConfigureAwait(false);
                all[count].Add(measured);
                say(Say($"{servers}, {count:N0} near streams, round {turn + 1} of {turns}: {measured.IdleRate:N0} and {measured.ReadRate:N0} sets/s, ")
                    + Say($"delay {measured.P50:0.0} / {measured.P99:0.0} / {measured.Max:0.0} ms, {measured.MiB:N0} MiB"));
            }
        }

        IEnumerable<string> rows = streams.Select(count => Line(count, all[count], all[streams[0]]));
        bool isPassed = all.Values.SelectMany(static each => each).All(static each => each.Missing == 0 && each.Max < MaxDelayMs);
        return new NearSection($"Near streams at scale, {servers}", [.. About(turns), "", .. Head, .. rows], isPassed);
    }

    private static IEnumerable<string> About(int turns) =>
    [
        Say($"- load: sets of 100 bytes by the .NET client, {InFlight} in flight, {Keys:N0} keys; server, writer and near streams on the same machine; ")
            + Say($"medians of {turns} rounds of {Seconds} s"),
        Say($"- near streams: one connection each; each has read {HeldKeys} of the written keys and renews its lease every second"),
        Say($"- reading: the near streams together read the written keys {ReadsPerSecond:N0} times per second during the writes"),
        Say($"- delay: from the call of a set until the notification arrives, with every stream notified; {DelayRounds} sets per round"),
        "- memory: resident memory of the server; CPU: of the server, in cores, while the streams only renew",
    ];

    private static IReadOnlyList<string> Head { get; } =
    [
        "| near streams | sets/s, no reads | ratio | sets/s, reading | ratio | delay p50 | p99 | max | memory | per stream | idle CPU |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ];

    private static string Line(int count, List<Measurement> rounds, List<Measurement> none)
    {
        double idle = Of(rounds, static each => each.IdleRate);
        double reading = Of(rounds, static each => each.ReadRate);
        double mib = Of(rounds, static each => each.MiB);
        double kib = count == 0 ? 0 : (mib - Of(none, static each => each.MiB)) * 1024 / count;
        return Say($"| {count:N0} | {idle:N0} | {idle / Of(none, static each => each.IdleRate):0.00} ")
            + Say($"| {reading:N0} | {reading / Of(none, static each => each.ReadRate):0.00} ")
            + Say($"| {Of(rounds, static each => each.P50):0.0} ms | {Of(rounds, static each => each.P99):0.0} ms ")
            + Say($"| {rounds.Max(static each => each.Max):0.0} ms ")
            + Say($"| {mib:N0} MiB | {kib:N0} KiB | {Of(rounds, static each => each.Cores):0.00} |");
    }

    private static double Of(IEnumerable<Measurement> rounds, Func<Measurement, double> value) => Median.Of(rounds.Select(value));

    private static async Task<Measurement> MeasureAsync(int streams, string? program, string? store)
    {
        await using Backend server = store is null
            ? await Backend.LarderAsync(files: null, program).ConfigureAwait(false)
            : await GatewayAsync(store).ConfigureAwait(false);
        await using Contender writer = await Contender.OfClientAsync("dotnet", "pipeline", server).ConfigureAwait(false);
        await using AgentProcess group = await AgentProcess.StartAsync(LabAgents.OfNearStreams()).ConfigureAwait(false);
        await group.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = server.Endpoint, ["near"] = streams }).ConfigureAwait(false);

        // The first load creates the keys and warms up the server.
        await LoadAsync(writer).ConfigureAwait(false);
        await ReadAsync(group, 0).ConfigureAwait(false);
        double idleRate = await LoadAsync(writer).ConfigureAwait(false);
        double cores = await CoresAsync(server.ProcessId!.Value).ConfigureAwait(false);
        await group.RequireAsync(new JsonObject { ["op"] = "rest" }).ConfigureAwait(false);
        await ReadAsync(group, ReadsPerSecond).ConfigureAwait(false);
        double readRate = await LoadAsync(writer).ConfigureAwait(false);
        long bytes = ProcStat.ResidentBytes(server.ProcessId!.Value);
        await group.RequireAsync(new JsonObject { ["op"] = "rest" }).ConfigureAwait(false);
        JsonObject delay = await group.RequireAsync(new JsonObject { ["op"] = "delay", ["rounds"] = streams == 0 ? 0 : DelayRounds }).ConfigureAwait(false);
        return new Measurement(
            idleRate, readRate, (double)delay["p50"]!, (double)delay["p99"]!, (double)delay["max"]!, (long)delay["missing"]!, bytes / 1048576.0, cores);
    }

    private static async Task<Backend> GatewayAsync(string store)
    {
        Backend gateway = await Backend.LarderAsync("--store", store).ConfigureAwait(false);
        await Wait.UntilAsync(
            async () => await gateway.StatsAsync().ConfigureAwait(false) is { Gateway.IsReady: true },
            "the gateway to connect to its cluster").ConfigureAwait(false);
        return gateway;
    }

    private static Task<JsonObject> ReadAsync(AgentProcess group, double readsPerSecond) => group.RequireAsync(new JsonObject
    {
        ["op"] = "read",
        ["keys"] = Keys,
        ["held"] = HeldKeys,
        ["readsPerSecond"] = readsPerSecond,
    });

    private static async Task<double> LoadAsync(Contender writer)
    {
        Rung rung = Rung.ParseAll($"{InFlight}", null)[0];
        BenchOptions bench = new() { Rungs = [rung], Seconds = Seconds, WarmupSeconds = 0.5 };
        JsonObject load = bench.LoadRequest(rung, seed: 1, preload: true);
        load["workload"]!["keys"] = Keys;
        load["workload"]!["readRatio"] = 0;
        Round round = await writer.RunAsync(bench.OpenRequest("pipeline", rung), load, static _ => { }).ConfigureAwait(false);
        return round.Errors.Count == 0 ? round.RequestsPerSecond : throw new TunerException($"writes failed: {string.Join(", ", round.Errors)}");
    }

    private static async Task<double> CoresAsync(int process)
    {
        using Process server = Process.GetProcessById(process);
        (TimeSpan cpu, long begun) = (server.TotalProcessorTime, Stopwatch.GetTimestamp());
        await Task.Delay(TimeSpan.FromSeconds(2)).ConfigureAwait(false);
        server.Refresh();
        return (server.TotalProcessorTime - cpu) / Stopwatch.GetElapsedTime(begun);
    }

    private sealed record Measurement(double IdleRate, double ReadRate, double P50, double P99, double Max, long Missing, double MiB, double Cores);
}
