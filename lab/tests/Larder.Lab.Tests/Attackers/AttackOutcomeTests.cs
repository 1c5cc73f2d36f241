using Larder.Lab.Attackers;

namespace Larder.Lab.Tests.Attackers;

public sealed class AttackOutcomeTests
{
    private static readonly NeighbourFigures s_good = new("pipeline", 6_000, 0, 100, 500, 20_000, 30_000, 20_000);

    [Fact]
    public void Outcome_passes_when_every_value_is_at_its_limit() =>
        Assert.Empty(Outcome([s_good, s_good with { P999Us = 3_000, CompanionP999Us = 1_000 }]).Missed);

    [Theory]
    [InlineData(20_001)]
    [InlineData(200_000)]
    public void Outcome_misses_goal_when_latency_exceeds_limit(double p999Us) =>
        Assert.Contains("p99.9", Assert.Single(Outcome([s_good with { P999Us = p999Us, CompanionP999Us = p999Us }]).Missed), StringComparison.Ordinal);

    [Theory]
    [InlineData(3_001)]
    [InlineData(10_000)]
    public void Outcome_misses_goal_when_ratio_exceeds_limit(double p999Us) =>
        Assert.Contains("×", Assert.Single(Outcome([s_good with { P999Us = p999Us, CompanionP999Us = 1_000 }]).Missed), StringComparison.Ordinal);

    [Fact]
    public void Outcome_misses_ratio_goal_when_comparison_value_is_missing() =>
        Assert.Single(Outcome([s_good with { CompanionP999Us = double.NaN }]).Missed);

    [Fact]
    public void Outcome_fails_after_one_error() => Assert.Single(Outcome([s_good, s_good with { Errors = 1 }]).Missed);

    [Fact]
    public void Outcome_fails_when_neighbor_made_no_calls() => Assert.Single(Outcome([s_good with { Calls = 0 }]).Missed);

    [Fact]
    public void Outcome_fails_after_one_failed_check()
    {
        AttackOutcome outcome = Outcome([s_good]) with { Failures = new Dictionary<string, long> { ["lease"] = 1 } };
        Assert.Contains("lease", Assert.Single(outcome.Missed), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(512L << 20, 0)]
    [InlineData((512L << 20) + 1, 1)]
    [InlineData(5_120L << 20, 1)]
    public void Outcome_misses_goal_when_memory_use_exceeds_limit(long peak, int missed) =>
        Assert.Equal(missed, (Outcome([s_good]) with { PeakBytes = peak, LimitBytes = 512L << 20 }).Missed.Count);

    [Fact]
    public void Outcome_has_no_memory_goal_when_no_limit_is_set() =>
        Assert.Empty((Outcome([s_good]) with { PeakBytes = long.MaxValue, LimitBytes = null }).Missed);

    [Fact]
    public void Outcome_fails_when_server_exited() =>
        Assert.Contains("exit code 137", Assert.Single((Outcome([s_good]) with { End = "exit code 137" }).Missed), StringComparison.Ordinal);

    [Fact]
    public void Skipped_outcome_passes() =>
        Assert.Empty(new AttackOutcome { Name = "key-updates", Skipped = "no library", End = "never started" }.Missed);

    [Fact]
    public void Table_has_row_per_transport_and_names_missed_goals()
    {
        AttackOutcome bad = Outcome([s_good, s_good with { Transport = "unary", Errors = 2 }]);
        AttackOutcome skipped = new() { Name = "key-updates", Skipped = "no library" };
        IReadOnlyList<string> lines = AttackTable.Of(new AttackersOptions(), 5, "not root", [Outcome([s_good]), bad, skipped]);
        Assert.Equal(3, lines.Count(line => line.StartsWith("| attack-1 |", StringComparison.Ordinal)));
        Assert.Single(lines, line => line.EndsWith("| ok |", StringComparison.Ordinal));
        Assert.Contains("- attack-1: unary: 2 errors", lines);
        Assert.Single(lines, line => line.EndsWith("skipped: no library |", StringComparison.Ordinal));
        Assert.Single(lines, line => line.Contains("no kernel limit (not root)", StringComparison.Ordinal));
        string[] rows = [.. lines.Where(line => line.StartsWith('|'))];
        Assert.Single(rows.Select(row => row.Count(c => c == '|')).Distinct());
    }

    private static AttackOutcome Outcome(NeighbourFigures[] neighbours) => new() { Name = "attack-1", Neighbours = neighbours };
}
