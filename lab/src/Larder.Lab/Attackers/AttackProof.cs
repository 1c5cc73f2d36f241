using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Lab.Neighbours;
using Larder.Report.Runs;

namespace Larder.Lab.Attackers;

/// <summary>Measures the neighbour alternately during one attack and next to well-behaved clients that use the same CPU time.</summary>
internal sealed class AttackProof(AttackersOptions options, int rounds, Action<string> say)
{
    // The number of additional warm-up measurements that bring the CPU usage of the well-behaved clients closer to that of the attack.
    private const int Corrections = 3;

    private readonly List<AttackLaneRound> _attacked = [];
    private readonly List<AttackLaneRound> _quiet = [];

    /// <summary>
    /// Runs an attack and returns its outcome. <c>Obstacle</c> is the reason why the server had no memory limit. It is null if the server had a limit or the
    /// attack was skipped.
    /// </summary>
    public async Task<(AttackOutcome Outcome, string? Obstacle)> RunAsync(AttackInfo attack)
    {
        if (attack.Obstacle is { } obstacle)
        {
            say($"{attack.Name}: skipped: {obstacle}");
            return (new AttackOutcome { Name = attack.Name, Skipped = obstacle }, null);
        }

        await using AttackTestBed stand = await AttackTestBed.StartAsync(options, attack).ConfigureAwait(false);
        var rate = new CompanionRate();
        // The first round is a warm-up. It also measures the CPU time per call of well-behaved clients.
        for (int round = 0; round <= rounds && stand.IsAlive; round++)
        {
            AttackLaneRound attacked = await stand.MeasureDuringAttackAsync().ConfigureAwait(false);
            double calls = rate.For(attacked.Cpu);
            AttackLaneRound? quiet = stand.IsAlive ? await stand.MeasureWithCompanionsAsync(calls).ConfigureAwait(false) : null;
            rate.Learn(calls, quiet?.Cpu);
            for (int lane = 0; round == 0 && lane < Corrections && stand.IsAlive && !CompanionRate.IsNear(attacked.Cpu, quiet?.Cpu); lane++)
            {
                calls = rate.For(attacked.Cpu);
                quiet = await stand.MeasureWithCompanionsAsync(calls).ConfigureAwait(false);
                rate.Learn(calls, quiet.Cpu);
            }

            say(Progress(attack, round, attacked, quiet));
            if (round > 0 || !stand.IsAlive)
            {
                _attacked.Add(attacked);
                _quiet.AddRange(quiet is null ? [] : [quiet]);
            }
        }

        int? exitCode = stand.IsAlive ? null : await stand.ExitCodeAsync().ConfigureAwait(false);
        return (OutcomeOf(attack, stand, exitCode), stand.Obstacle);
    }

    private AttackOutcome OutcomeOf(AttackInfo attack, AttackTestBed stand, int? exitCode) => new()
    {
        Name = attack.Name,
        Neighbours = [.. AttackTestBed.Transports.Select(FiguresOf)],
        Checks = _attacked.Sum(round => round.Checks),
        Evicted = _attacked.Sum(round => round.Evicted),
        Failures = _attacked.SelectMany(round => round.Failures).GroupBy(failure => failure.Key)
            .ToDictionary(group => group.Key, group => group.Sum(failure => failure.Value)),
        PeakBytes = stand.PeakBytes,
        LimitBytes = stand.Obstacle is null ? MemoryGroup.LimitBytes : null,
        End = exitCode is null ? null : string.Create(CultureInfo.InvariantCulture, $"exit code {exitCode}"),
        Cpu = (Median.OfKnown(_attacked.Select(round => round.Cpu)), Median.OfKnown(_quiet.Select(round => round.Cpu))),
        Attackers = string.Join(", ", Counts().Select(count => string.Create(CultureInfo.InvariantCulture, $"{count.Value:N0} {count.Key}"))),
    };

    private NeighbourFigures FiguresOf(string transport, int number)
    {
        NeighbourLane attacked = new(transport), quiet = new(transport);
        _attacked.ForEach(round => attacked.Add(round.Neighbours[number]));
        _quiet.ForEach(round => quiet.Add(round.Neighbours[number]));
        return new NeighbourFigures(
            transport,
            attacked.Calls,
            attacked.Errors,
            attacked.P50Us,
            attacked.P99Us,
            attacked.P999Us,
            attacked.WorstP999Us,
            _quiet.Count > 0 ? quiet.P999Us : double.NaN);
    }

    private Dictionary<string, long> Counts()
    {
        var counts = new Dictionary<string, long>();
        foreach (KeyValuePair<string, JsonNode?> count in _attacked.SelectMany(round => round.FinalResponse).Where(said => said.Key is not ("result" or "id")))
        {
            counts[count.Key] = counts.GetValueOrDefault(count.Key) + (long)count.Value!;
        }

        return counts;
    }

    private string Progress(AttackInfo attack, int round, AttackLaneRound attacked, AttackLaneRound? quiet)
    {
        string name = round == 0 ? "warm-up" : string.Create(CultureInfo.InvariantCulture, $"round {round} of {rounds}");
        IEnumerable<string> transports = AttackTestBed.Transports.Select((transport, number) => string.Create(
            CultureInfo.InvariantCulture,
            $"{transport} p99.9 {P999Us(attacked, number):N0} µs (well-behaved {P999Us(quiet, number):N0}), "
                + $"{attacked.Neighbours[number].Small.Errors.Values.Sum()} errors"));
        string failures = string.Join(", ", attacked.Failures.Select(failure => $"{failure.Value} × {failure.Key}"));
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{attack.Name}, {name}: {string.Join("; ", transports)}; CPU {attacked.Cpu:F2} and {quiet?.Cpu:F2}; failed checks: {failures}");
    }

    private static double P999Us(AttackLaneRound? round, int number) => round?.Neighbours[number].Small.Histogram.QuantileUs(0.999) ?? double.NaN;
}
