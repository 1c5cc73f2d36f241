using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Comparisons;

/// <summary>
/// <c>larder tune --all</c>: every pair in turn, each stored when it is done, so that it can be interrupted and goes on where it was; and the table of all
/// that are there.
/// </summary>
internal sealed class FullComparison(TuneOptions options, string folder, Func<TuneOptions, Task<IReadOnlyList<TuneRun>>> tune)
{
    /// <summary>The table's file.</summary>
    public const string TableFile = "README.md";

    /// <summary>What a pair may take by default: two targets and a peer; the six of them half an hour.</summary>
    public static readonly TimeSpan PairBudget = TimeSpan.FromSeconds(300);

    /// <summary>Measures those pairs that are not stored yet; with <paramref name="again"/> also those that are.</summary>
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
