using System.Diagnostics;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Harness.Proxies;
using Larder.Tuner.Bench;
using Larder.Tuner.Processes;

namespace Larder.Lab.Soak;

/// <summary>
/// Runs a soak. Finds the best throughput through a proxy, and then loads the client for minutes with a share of that throughput in an open loop. Compares
/// every value with its key. During the load, the proxy resets connections, and the server fails and delays the calls of a second client.
/// </summary>
internal sealed class SoakRun(SoakOptions options, Action<string> say)
{
    /// <summary>The time that the load may take in addition to its duration. If it takes longer, its unfinished calls count as lost.</summary>
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(60);

    // Guards the samples and the rate. If the run is interrupted, another thread reads them.
    private readonly Lock _lock = new();
    private readonly List<SoakSample> _samples = [];
    private readonly Random _random = new(options.Seed);
    private double _rate;

    public async Task<(SoakVerdict Verdict, double RatePerSecond, IReadOnlyList<SoakSample> Samples)> RunAsync()
    {
        await using Backend server = await Backend.LarderAsync("--fault-injection").ConfigureAwait(false);
        await using var proxy = new FaultProxy(server.Endpoint);
        await using AgentProcess agent = await AgentProcess.StartAsync(Agents.OfClient(options.Client)).ConfigureAwait(false);
        await using AgentProcess neighbourAgent = await AgentProcess.StartAsync(Agents.OfClient(options.Client)).ConfigureAwait(false);
        BenchOptions bench = options.ForBench();
        (double RequestsPerSecond, int Callers) best = await FindBestAsync(agent, proxy.Endpoint, bench).ConfigureAwait(false);
        double rate = best.RequestsPerSecond * options.ShareOfBest;
        lock (_lock)
        {
            _rate = rate;
        }

        say(
            $"best rate: {best.RequestsPerSecond:N0} requests/s with {best.Callers} callers; "
                + $"now running for {options.Duration.TotalMinutes:N1} minutes at {rate:N0} requests/s");

        var neighbour = new FaultyNeighbour(neighbourAgent, server.Endpoint);
        using var stop = new CancellationTokenSource();
        await agent.RequireAsync(bench.OpenRequest(options.Transport, bench.Rungs[0], proxy.Endpoint)).ConfigureAwait(false);
        Task[] around = [ResetAsync(proxy, stop.Token), SampleAsync(agent, server, stop.Token), neighbour.RunAsync(stop.Token)];
        Task<JsonObject> load = agent.RequireAsync(Load(rate, best.Callers * 4));
        bool ended = await Task.WhenAny(load, Task.Delay(options.Duration + s_grace)).ConfigureAwait(false) == load;
        await stop.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(around).ConfigureAwait(false);
        JsonObject stats = await agent.RequireAsync(new JsonObject { ["op"] = "stats" }).ConfigureAwait(false);
        SoakCounts counts = ended
            ? SoakCounts.From(await load.ConfigureAwait(false), stats, proxy.Resets)
            : new SoakCounts { Ended = false, Resets = proxy.Resets };
        say(
            $"neighbour with injected errors and delays: {neighbour.Calls:N0} calls, {neighbour.Failures:N0} failed, "
                + $"{neighbour.Crossed:N0} returned a value of another key");
        return (SoakVerdict.Of(counts with { Crossed = counts.Crossed + neighbour.Crossed }, _samples), rate, _samples);
    }

    /// <summary>Returns the rate of the load and the samples so far. Thread-safe.</summary>
    public (double RatePerSecond, IReadOnlyList<SoakSample> Samples) SoFar()
    {
        lock (_lock)
        {
            return (_rate, [.. _samples]);
        }
    }

    private async Task<(double RequestsPerSecond, int Callers)> FindBestAsync(AgentProcess agent, string endpoint, BenchOptions bench)
    {
        (double RequestsPerSecond, int Callers) best = (0, 0);
        foreach (Rung rung in bench.Rungs)
        {
            await agent.RequireAsync(bench.OpenRequest(options.Transport, rung, endpoint)).ConfigureAwait(false);
            var round = Round.From(await agent.RequireAsync(bench.LoadRequest(rung, options.Seed, preload: true)).ConfigureAwait(false));
            await agent.RequireAsync(new JsonObject { ["op"] = "close" }).ConfigureAwait(false);
            say($"{rung.Callers} callers: {round.RequestsPerSecond:N0} requests/s");
            best = round.RequestsPerSecond > best.RequestsPerSecond ? (round.RequestsPerSecond, rung.Callers) : best;
        }

        return best;
    }

    private JsonObject Load(double rate, int callers) => new()
    {
        ["op"] = "load",
        ["callers"] = callers,
        ["seconds"] = options.Duration.TotalSeconds,
        ["warmupSeconds"] = 1,
        ["progress"] = false,
        ["verify"] = true,
        ["openLoopRatePerSecond"] = rate,
        ["workload"] = new JsonObject { ["name"] = "reference" },
    };

    private async Task ResetAsync(FaultProxy proxy, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            TimeSpan gap = options.BetweenResets * (0.5 + _random.NextDouble());
            await Task.Delay(gap, stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (!stop.IsCancellationRequested)
            {
                proxy.ResetOne(_random);
            }
        }
    }

    private async Task SampleAsync(AgentProcess agent, Backend server, CancellationToken stop)
    {
        long begun = Stopwatch.GetTimestamp();
        while (!stop.IsCancellationRequested)
        {
            await Task.Delay(options.BetweenSamples, stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            JsonObject client = await agent.RequireAsync(new JsonObject { ["op"] = "stats" }).ConfigureAwait(false);
            ServerStats? at = await server.StatsAsync().ConfigureAwait(false);
            var sample = new SoakSample(
                Stopwatch.GetElapsedTime(begun),
                (long)client["residentBytes"]!,
                (long?)client["managedBytes"] ?? 0,
                at?.ResidentBytes,
                at?.Connections);
            lock (_lock)
            {
                _samples.Add(sample);
            }

            say(
                $"{sample.At.TotalSeconds,5:N0} s: client {sample.ClientResidentBytes >> 20} MiB resident, {sample.ClientManagedBytes >> 20} MiB managed; "
                    + $"server {(sample.ServerResidentBytes ?? 0) >> 20} MiB; {sample.Connections} connections; in flight {client["inFlight"]}, queued "
                    + $"{client["queued"]}");
        }
    }
}
