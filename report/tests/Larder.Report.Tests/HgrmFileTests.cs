using System.Globalization;
using Larder.Report.Runs;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests;

public sealed class HgrmFileTests
{
    [Fact]
    public void File_can_be_parsed_by_HdrHistogram_plotter()
    {
        LatencySummary latency = SampleRun.Make().KneeRung()!.Repetitions[0].Latency;
        string[] lines = HgrmFile.Of(latency).Split('\n');
        Assert.Equal("       Value     Percentile TotalCount 1/(1-Percentile)", lines[0]);
        Assert.Equal("", lines[1]);
        // Parses lines in the same way as HdrHistogram's plotter. Only lines with four numbers count. The first number is the y value, and the fourth number is
        // the x value.
        double[][] points = [.. lines.Select(Numbers).Where(numbers => numbers.Length == 4)];
        Assert.Equal(latency.Curve.Count, points.Length);
        Assert.All(points.Zip(latency.Curve), pair => Assert.Equal(pair.Second.Us / 1e3, pair.First[0], 3));
        Assert.All(points.Zip(latency.Curve), pair => Assert.Equal(1 / (1 - pair.Second.Quantile), pair.First[3], 2));
        Assert.All(points, point => Assert.InRange(point[2], 0, latency.Samples));
        double[] last = lines.Select(Numbers).Single(numbers => numbers.Length == 3);
        Assert.Equal((1.0, (double)latency.Samples), (last[1], last[2]));
        Assert.StartsWith("#[Max     = ", lines[^2], StringComparison.Ordinal);
    }

    [Fact]
    public void File_without_calls_has_no_points() =>
        Assert.DoesNotContain(
            HgrmFile.Of(new LatencySummary { Samples = 0, P50Us = 0, P90Us = 0, P99Us = 0, P999Us = 0, MaxUs = 0 }).Split('\n').Select(Numbers),
            numbers => numbers.Length == 4);

    [Fact]
    public void Files_of_run_contain_its_graphs_and_curves()
    {
        Dictionary<string, string> files = RunFiles.Figures(SampleRun.Make()).ToDictionary();
        Assert.Equal(16, files.Count);
        Assert.Equal(13, files.Keys.Count(name => name.EndsWith(".svg", StringComparison.Ordinal)));
        string[] some = ["confirmation-felt.hgrm", "confirmation-service.hgrm", "knee.hgrm", "rates.svg", "stalls.svg", "answered.svg"];
        Assert.All(some, name => Assert.True(files.ContainsKey(name), name));
        Assert.DoesNotContain(
            RunFiles.Figures(SampleRun.Make() with { Proved = null, Knee = null }),
            file => file.Name.EndsWith(".hgrm", StringComparison.Ordinal));
    }

    private static double[] Numbers(string line)
    {
        string[] pieces = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return pieces.All(piece => double.TryParse(piece, CultureInfo.InvariantCulture, out _))
            ? [.. pieces.Select(piece => double.Parse(piece, CultureInfo.InvariantCulture))]
            : [];
    }
}
