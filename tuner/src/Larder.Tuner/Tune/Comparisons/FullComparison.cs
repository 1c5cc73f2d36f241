using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Comparisons;

/// <summary>
/// The command <c>larder tune --all</c>. It measures all pairs and stores the result of each pair when it is complete, so that an interrupted comparison can
/// resume. At the end it writes the table of all stored runs.
/// </summary>
internal sealed class FullComparison(TuneOptions options, string folder, Func<TuneOptions, Task<IReadOnlyList<TuneRun>>> tune)
{
    public const string TableFile = "README.md";

    /// <summary>The default budget of a pair, which has two targets and a peer. The six pairs take half an hour.</summary>
    public static readonly TimeSpan PairBudget = TimeSpan.FromSeconds(300);

    /// <summary>Measures the pairs that are not stored yet. With <paramref name="again"/>, measures all given pairs.</summary>
    public async Task RunAsync(IReadOnlyList<BaselinePair> pairs, bool again)
    {
        Directory.CreateDirectory(folder);
        foreach (BaselinePair pair in pairs)
        {
            if (!again && BaselinePair.Targets.All(target => File.Exists(PathOf(pair, target))))
            {
                continue;
            }

            IReadOnlyList<TuneRun> runs = await tune(
                    options with
                    {
                        Client = pair.Client,
                        Transport = pair.Transport,
                        Peers = [pair.Peer],
                        Targets = BaselinePair.Targets,
                    })
                .ConfigureAwait(false);
            foreach (TuneRun run in runs)
            {
                await File.WriteAllTextAsync(PathOf(pair, run.Target), TuneRunFile.Write(RunSummary.Of(run))).ConfigureAwait(false);
            }

            await File.WriteAllTextAsync(Path.Combine(folder, TableFile), ComparisonTable.Of(Stored())).ConfigureAwait(false);
        }
    }

    private List<TuneRun> Stored() =>
        [
            .. from pair in BaselinePair.All
            from target in BaselinePair.Targets
            let path = PathOf(pair, target)
            where File.Exists(path)
            select TuneRunFile.Read(path),
        ];

    private string PathOf(BaselinePair pair, TuneTarget target) => Path.Combine(folder, pair.FileOf(target) + ".json");
}
