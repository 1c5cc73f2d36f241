using System.Xml.Linq;
using Larder.Report.Drawing;
using Larder.Report.Graphs;
using Larder.Report.Runs;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests.Drawing;

public sealed class GraphTests
{
    [Fact]
    public void Line_skips_points_that_are_NaN()
    {
        LineGraph graph = Graph(new Series("a", "main", [new(1, 1), new(2, double.NaN), new(3, 9)]));
        string path = Line(graph).Single();
        Assert.Equal(2, path.Split('L').Length);
        Assert.DoesNotContain("NaN", graph.Svg(), StringComparison.Ordinal);
    }

    [Fact]
    public void Graph_without_points_is_valid()
    {
        LineGraph graph = Graph(new Series("a", "main", []));
        Assert.Empty(Line(graph));
        Assert.Empty(graph.Table().Rows);
    }

    [Fact]
    public void Table_has_row_per_x_and_column_per_line()
    {
        (IReadOnlyList<string>? headers, IReadOnlyList<IReadOnlyList<string>>? rows) = Graph(
                new Series("a", "main", [new(1, 10), new(2, 20)]),
                new Series("b", "p99", [new(2, 5)]))
            .Table();
        Assert.Equal(["x", "a", "b"], headers);
        Assert.Equal([["1", "10", "–"], ["2", "20", "5"]], rows);
    }

    [Fact]
    public void Every_graph_of_a_run_is_well_formed_XML()
    {
        TuneRun run = SampleRun.Make();
        IGraph[] graphs =
        [
            SearchGraphs.Throughput([new GraphedRun(run)]),
            SearchGraphs.Latency([new GraphedRun(run)]),
            SearchGraphs.Curve([new GraphedRun(run)]),
            SearchGraphs.ClientAndServer(new GraphedRun(run))!,
            RateGraphs.Latency([new GraphedRun(run)]),
            PercentileGraph.Of([new GraphedRun(run)])!,
            TimelineGraph.Of(run),
            ChannelGraphs.Throughput(run),
            ChannelGraphs.Latency(run),
            AdaptiveGraphs.Throughput(run),
            AdaptiveGraphs.Latency(run),
        ];
        Assert.All(graphs, graph => Assert.Equal("svg", XElement.Parse(graph.Svg()).Name.LocalName));
    }

    [Theory]
    [InlineData(1.0, 7)]
    [InlineData(0.3, 6)]
    [InlineData(0.001, 2)]
    [InlineData(0.00001, 0)]
    public void Heat_map_level_grows_with_share(double share, int level) => Assert.Equal(level, HeatMap.LevelOf(share));

    [Fact]
    public void Merged_slices_keep_all_calls_and_their_steps()
    {
        IReadOnlyList<TimeSlice> slices = SampleRun.Make().Timeline;
        IReadOnlyList<TimeSlice> merged = TimelineGraph.Merged(slices, 12);
        Assert.InRange(merged.Count, SampleRun.Ladder.Count, 20);
        Assert.Equal(slices.Sum(Calls), merged.Sum(Calls));
        Assert.Equal(slices.Select(slice => slice.Step).Distinct(), merged.Select(slice => slice.Step).Distinct());
        Assert.All(merged, slice => Assert.True(slice.Cells.Zip(slice.Cells.Skip(1)).All(pair => pair.First.Bucket < pair.Second.Bucket)));
    }

    [Fact]
    public void Target_crossing_is_interpolated_between_neighboring_points()
    {
        (double, double, double)[] points = [(1, 100, 10), (10, 900, 100), (100, 1_000, 10_000)];
        (double Callers, double RequestsPerSecond) crossing = TargetCrossing.Of(points, 1_000)!.Value;
        Assert.Equal(10 * Math.Sqrt(10), crossing.Callers, 6);
        Assert.Equal(950, crossing.RequestsPerSecond, 6);
        Assert.Null(TargetCrossing.Of(points, 10_000));
        Assert.Null(TargetCrossing.Of(points, 5));
        Assert.Null(TargetCrossing.Of([], 5));
    }

    private static long Calls(TimeSlice slice) => slice.Cells.Sum(cell => cell.Count);

    private static LineGraph Graph(params Series[] series) =>
        new(
            "id",
            "title",
            "text",
            new Axis("x", new LinearScale(0, 10, Show.Short), Show.Short),
            new Axis("y", new LinearScale(0, 30, Show.Short), Show.Short),
            series,
            []);

    private static IEnumerable<string> Line(LineGraph graph) =>
        XElement.Parse(graph.Svg()).Descendants("path").Where(path => (string?)path.Attribute("class") == "line").Select(path => (string)path.Attribute("d")!);
}
