using System.Text.Json.Nodes;
using Larder.Agent;
using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Tests.Bench;

public sealed class BenchTests
{
    private static readonly Rung s_rung = new(25, new Cap(CapKind.Number, 25));

    [Fact]
    public void ParseAll_defaults_cap_to_number_of_callers()
    {
        Assert.Equal([new(1, new(CapKind.Number, 1)), new(5000, new(CapKind.Default)), new(7, new(CapKind.Off))], Rung.ParseAll("1, 5000@default,7@off", null));
        Assert.Equal([new(1, new(CapKind.Number, 9)), new(2, new(CapKind.Number, 3))], Rung.ParseAll("1,2@3", Cap.Parse("9")));
    }

    [Theory]
    [InlineData("")]
    [InlineData("0")]
    [InlineData("1@")]
    [InlineData("1@2@3")]
    [InlineData("1,-5")]
    [InlineData("100001")]
    public void ParseAll_rejects_invalid_rungs(string text) => Assert.Throws<FormatException>(() => Rung.ParseAll(text, null));

    [Fact]
    public void Disturbed_round_is_rejected_and_not_counted()
    {
        var tally = new RoundTally(2, noiseLimit: 0.1);
        Assert.True(tally.Add(RoundOf(100, others: 0.05)));
        Assert.False(tally.Add(RoundOf(40, others: 0.5)));
        Assert.True(tally.WantsMore);
        Assert.True(tally.Add(RoundOf(300, others: 0.1)));
        Assert.False(tally.WantsMore);
        BenchRow row = tally.ToRow("dotnet", "unary", s_rung);
        Assert.Equal((200.0, 2, 1, false), (row.RequestsPerSecond, row.Rounds, row.Rejected, row.Disturbed));
    }

    [Fact]
    public void Least_disturbed_rounds_count_when_quiet_rounds_are_missing()
    {
        var tally = new RoundTally(2, noiseLimit: 0.1);
        tally.Add(RoundOf(100, others: 0));
        foreach (double others in new[] { 0.9, 0.3, 0.5, 0.7 })
        {
            Assert.True(tally.WantsMore);
            tally.Add(RoundOf(200, others));
        }

        Assert.False(tally.WantsMore);
        BenchRow row = tally.ToRow("dotnet", "unary", s_rung);
        Assert.Equal((150.0, 2, 3, true), (row.RequestsPerSecond, row.Rounds, row.Rejected, row.Disturbed));
        Assert.Contains(BenchNotes.Of([row]), note => note.StartsWith('~'));
    }

    [Fact]
    public void Disturbed_round_counts_and_is_marked_when_repeats_are_off()
    {
        var tally = new RoundTally(1, noiseLimit: 0.1, repeatDisturbed: false);
        tally.Add(RoundOf(100, others: 0.9));
        Assert.False(tally.WantsMore);
        BenchRow row = tally.ToRow("dotnet", "unary", s_rung);
        Assert.Equal((100.0, 0, true), (row.RequestsPerSecond, row.Rejected, row.Disturbed));
    }

    [Fact]
    public void Row_is_median_of_its_rounds()
    {
        var row = BenchRow.Of("dotnet", "unary", s_rung, [RoundOf(10, 0), RoundOf(30, 0), RoundOf(20, 0), RoundOf(1000, 0)], 0, false);
        Assert.Equal(25, row.RequestsPerSecond);
        Assert.Equal(4, row.Samples);
        Assert.Equal(0.5, row.HitRatio);
    }

    [Fact]
    public void Notes_report_too_few_samples_for_p999()
    {
        var row = BenchRow.Of("dotnet", "unary", s_rung, [RoundOf(10, 0)], 0, false);
        Assert.False(row.EnoughForP999);
        Assert.Contains(BenchNotes.Of([row]), note => note.Contains("p99.9", StringComparison.Ordinal));
    }

    [Fact]
    public void JSON_line_has_exactly_the_documented_fields()
    {
        JsonObject line = JsonNode.Parse(JsonView.Line(BenchRow.Of("dotnet", "unary", s_rung, [RoundOf(10, 0)], 0, false)))!.AsObject();
        Assert.Equal(
            [
                "client",
                "transport",
                "inFlight",
                "requestsPerSecond",
                "p50Us",
                "p90Us",
                "p99Us",
                "p999Us",
                "maxUs",
                "samples",
                "errors",
                "bytesPerCall",
                "clientCpu",
                "serverCpu",
            ],
            line.Select(field => field.Key));
    }

    [Theory]
    [InlineData(1.2345, "1.23")]
    [InlineData(99.994, "99.99")]
    [InlineData(123.456, "123.5")]
    [InlineData(1234.56, "1,235")]
    public void Latencies_have_at_least_three_significant_digits(double us, string text) => Assert.Equal(text, BenchColumn.Us(us));

    [Fact]
    public void Ratio_column_compares_with_peer_at_same_callers()
    {
        var ours = BenchRow.Of("dotnet", "unary", s_rung, [RoundOf(300, 0)], 0, false);
        var peer = BenchRow.Of("grpc-dotnet", "unary", s_rung, [RoundOf(100, 0)], 0, false);
        BenchColumn column = BenchColumn.For([ours, peer], new HashSet<string> { "grpc-dotnet" }).Single(column => column.Header == "× grpc-dotnet");
        Assert.Equal(("3.00", "–"), (column.Cell(ours), column.Cell(peer)));
    }

    [Fact]
    public void Knee_is_smallest_concurrency_near_best_rate()
    {
        (int, double, double)[] points = [(1, 100, 1), (10, 900, 2), (25, 990, 3), (100, 1000, 9), (5000, 1005, 99)];
        Assert.Equal(2, Knee.Of(points));
        Assert.Equal(1, Knee.Of(points, targetUs: 2));
        Assert.Null(Knee.Of(points, targetUs: 0.5));
        Assert.Null(Knee.Of([]));
    }

    private static Round RoundOf(double requestsPerSecond, double? others)
    {
        var histogram = new LoadHistogram();
        histogram.Record(1_000);
        return new Round
        {
            RequestsPerSecond = requestsPerSecond,
            Histogram = histogram,
            Hits = 1,
            Misses = 1,
            Errors = new Dictionary<string, long>(),
            ClientCpu = 1,
            OthersCpu = others,
        };
    }
}
