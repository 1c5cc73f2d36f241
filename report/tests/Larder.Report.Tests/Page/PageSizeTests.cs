using System.Text;
using Larder.Report.Page;
using Larder.Report.Runs;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests.Page;

public sealed class PageSizeTests
{
    /// <summary>The maximum size of a page. A file of this size can easily be attached to an e-mail or a review.</summary>
    private const int MaxBytes = 300 * 1024;

    [Fact]
    public void Page_of_largest_run_is_below_300_KB() =>
        Assert.InRange(Encoding.UTF8.GetByteCount(RunReport.Of(LargestRun.Make())), 50_000, MaxBytes);

    [Fact]
    public void Overlay_of_largest_runs_is_below_300_KB()
    {
        (string, TuneRun)[] runs = [.. Enumerable.Range(0, 6).Select(i => ($"run-{i}.json", LargestRun.Make()))];
        Assert.InRange(Encoding.UTF8.GetByteCount(OverlayReport.Of(runs)), 20_000, MaxBytes);
        Assert.Throws<ArgumentOutOfRangeException>(() => OverlayReport.Of([.. runs, .. runs]));
    }
}
