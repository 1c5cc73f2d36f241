using Larder.Report.Drawing;
using Larder.Report.Graphs;
using Larder.Report.Runs;

namespace Larder.Report.Readme;

/// <summary>What is made from the committed runs: the README's table and pictures, and the list of all runs beside them.</summary>
internal static class ReadmeFiles
{
    /// <summary>
    /// Files of the repository, by name, and their text. Without runs of this version the README and its pictures are left as they are, so that what an older
    /// version made stands until it is measured anew.
    /// </summary>
    /// <param name="readme">The text of <c>README.md</c> now.</param>
    /// <param name="results">That of <c>tuner/results/README.md</c>.</param>
    /// <param name="runs">The committed runs.</param>
    /// <exception cref="FormatException">One of the texts has no place for its table.</exception>
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
