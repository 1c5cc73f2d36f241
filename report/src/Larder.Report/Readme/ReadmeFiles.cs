using Larder.Report.Drawing;
using Larder.Report.Graphs;
using Larder.Report.Runs;

namespace Larder.Report.Readme;

/// <summary>Generates files from the committed runs: the table and the pictures of the README, and the list of all runs.</summary>
internal static class ReadmeFiles
{
    /// <summary>
    /// Returns the repository paths and the contents of the generated files. If there are no runs of the current version, the README and its pictures are not
    /// changed. The results of an older version then remain until they are measured again.
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
