using System.Text.Json.Nodes;
using Larder.Lab.Topics;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Topics;

public sealed class TopicRowTests
{
    [Fact]
    public void RateFor_is_fraction_of_slowest_peer_rate()
    {
        Assert.Equal(500, TopicRow.RateFor([400_000, 100_000, 200_000], subscribers: 100, fraction: 0.5));
        Assert.Equal(1, TopicRow.RateFor([100], subscribers: 1_000, fraction: 0.5));
    }

    [Fact]
    public void Row_shows_medians_and_ratio_to_each_peer()
    {
        TopicRow ours = Row("larder", 300_000, 2_000);
        TopicRow theirs = Row("redis", 100_000, 4_000);
        Assert.Equal(
            "| 100 | larder | 300,000 | 299,999 | 300,001 |  | 500 | 300,000 | 0.10 | 1.00 | 2.00 | 1.99 | 2.01 |  |",
            ours.Line(ours));
        Assert.Equal(
            "| 100 | redis | 100,000 | 99,999 | 100,001 | 3.00 | 500 | 100,000 | 0.10 | 1.00 | 4.00 | 3.99 | 4.01 | 0.50 |",
            theirs.Line(ours));
        Assert.All(TopicRow.Head, head => Assert.Equal(ours.Line(ours).Count(static c => c == '|'), head.Count(static c => c == '|')));
    }

    [Fact]
    public void Round_with_missing_deliveries_is_rejected()
    {
        JsonObject line = new() { ["deliveriesPerSecond"] = 7.5, ["p50Us"] = 1.0, ["p99Us"] = 2.0, ["p999Us"] = 3.0, ["gaps"] = 0L };
        Assert.Equal(new TopicRound(7.5, 1, 2, 3), TopicRound.From("larder", line));
        line["missing"] = 1L;
        Assert.Contains("1 deliveries are missing", Assert.Throws<TunerException>(() => TopicRound.From("larder", line)).Message, StringComparison.Ordinal);
        line["missing"] = 0L;
        line["gaps"] = 2L;
        Assert.Throws<TunerException>(() => TopicRound.From("larder", line));
    }

    [Fact]
    public void Lines_compare_calls_with_and_without_topic_load()
    {
        IReadOnlyList<string> lines = TopicNeighbour.Lines(new TopicBenchOptions(), 100, 50, [1_000, 2_000, 3_000], [3_000, 4_000, 2_000]);
        Assert.Equal("| 2,000 | none | 2.00 | 1.00 | 3.00 | |", lines[2]);
        Assert.Equal("| 2,000 | 100 subscribers, 50 messages/s | 3.00 | 2.00 | 4.00 | 1.50 |", lines[3]);
    }

    [Theory]
    [InlineData("nats,larder", "larder,nats")]
    [InlineData("larder", "larder")]
    [InlineData("redis,nats,larder,redis", "larder,redis,nats")]
    public void PeersOf_lists_Larder_first_and_each_peer_once(string given, string read) => Assert.Equal(read.Split(','), TopicBenchCommand.PeersOf(given));

    [Theory]
    [InlineData("redis")]
    [InlineData("larder,kafka")]
    [InlineData("")]
    public void PeersOf_rejects_unknown_or_missing_peers(string given) => Assert.Throws<FormatException>(() => TopicBenchCommand.PeersOf(given));

    private static TopicRow Row(string peer, double deliveries, double p999) => new(
        peer,
        100,
        [Round(deliveries + 1, 0), Round(deliveries, 0), Round(deliveries - 1, 0)],
        500,
        [Round(deliveries, p999 - 10), Round(deliveries, p999 + 10), Round(deliveries, p999)]);

    private static TopicRound Round(double deliveries, double p999) => new(deliveries, 100, 1_000, p999);
}
