using Larder.Report.Drawing;
using Larder.Report.Graphs;
using Larder.Report.Runs;

namespace Larder.Report.Readme;

/// <summary>The files generated from the committed runs: the README's table and pictures, and the list of all runs.</summary>
internal static class ReadmeFiles
{
    /// <summary>
    /// Returns the generated files: repository paths and contents. Without runs of the current version the README and its pictures are not changed, so that the
    /// results of an older version remain until they are measured again.
    /// </summary>
    /// <param name="readme">The current text of <c>README.md</c>.</param>
    /// <param name="results">The current text of <c>tuner/results/README.md</c>.</param>
    /// <param name="runs">The committed runs.</param>
    /// <exception cref="FormatException">One of the texts has no markers for its table.</exception>
    public static IReadOnlyList<(string Name, string Text)> Made(string readme, string results, IReadOnlyList<CommittedRun> runs)
    {
        List<(string Name, string Text)> made = [("tuner/results/README.md", ReadmePart.Put(results, ResultsList.Of(runs)))];
        if (ResultsTable.Of(runs) is { Length: > 0 } table)
        {
            TuneRun first = CommittedRun.InOrder([.. runs.Where(one => one.Run.Version == TuneRun.CurrentVersion)])[0].Run;
            made.Add(("README.md", ReadmePart.Put(readme, table)));
            made.Add(("docs/pictures/throughput.svg", SvgFile.Of(SearchGraphs.Throughput([new GraphedRun(first)]))));
            made.Add(("docs/pictures/latency.svg", SvgFile.Of(SearchGraphs.Latency([new GraphedRun(first)]))));
        }

        return made;
    }
}
