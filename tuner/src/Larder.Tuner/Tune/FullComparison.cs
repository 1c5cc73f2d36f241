using Larder.Report.Runs;

namespace Larder.Tuner.Tune;

/// <summary>
/// <c>larder tune --all</c>: every slice in turn, each stored when it is done, so that it can be interrupted and goes on where it was; and the table of all
/// that are there.
/// </summary>
internal sealed class FullComparison(TuneOptions options, string folder, Func<TuneOptions, Task<IReadOnlyList<TuneRun>>> tune)
{
    /// <summary>The table's file.</summary>
    public const string TableFile = "README.md";

    /// <summary>What a slice may take by default: with starting and ending about 140 s, the six of them a quarter of an hour.</summary>
    public static readonly TimeSpan SliceBudget = TimeSpan.FromSeconds(130);

    /// <summary>Measures those slices that are not stored yet; with <paramref name="again"/> also those that are.</summary>
    public async Task RunAsync(IReadOnlyList<TuneSlice> slices, bool again)
    {
        Directory.CreateDirectory(folder);
        foreach (TuneSlice slice in slices)
        {
            if (!again && TuneSlice.Targets.All(target => File.Exists(PathOf(slice, target))))
            {
                continue;
            }

            IReadOnlyList<TuneRun> runs = await tune(
                    options with
                    {
                        Client = slice.Client,
                        Transport = slice.Transport,
                        Peers = [slice.Peer],
                        Targets = TuneSlice.Targets,
                    })
                .ConfigureAwait(false);
            foreach (TuneRun run in runs)
            {
                await File.WriteAllTextAsync(PathOf(slice, run.Target), TuneRunFile.Write(RunSummary.Of(run))).ConfigureAwait(false);
            }

            await File.WriteAllTextAsync(Path.Combine(folder, TableFile), ComparisonTable.Of(Stored())).ConfigureAwait(false);
        }
    }

    private List<TuneRun> Stored() =>
        [
            .. from slice in TuneSlice.All
            from target in TuneSlice.Targets
            let path = PathOf(slice, target)
            where File.Exists(path)
            select TuneRunFile.Read(path),
        ];

    private string PathOf(TuneSlice slice, TuneTarget target) => Path.Combine(folder, slice.FileOf(target) + ".json");
}
