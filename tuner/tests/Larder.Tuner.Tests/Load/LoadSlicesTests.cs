using Larder.Agent;

namespace Larder.Tuner.Tests.Load;

public sealed class LoadSlicesTests
{
    [Fact]
    public void Slice_end_never_precedes_earlier_slice()
    {
        var slices = new LoadSlices(TimeSpan.FromMilliseconds(50), _ => { });
        slices.Cut(TimeSpan.FromMilliseconds(210));
        slices.Cut(TimeSpan.FromMilliseconds(205));
        Assert.Equal([210, 210], slices.All.Select(slice => slice.End.TotalMilliseconds));
    }

    [Fact]
    public void Slice_contains_calls_since_previous_slice()
    {
        var counted = new LoadHistogram();
        var slices = new LoadSlices(TimeSpan.FromMilliseconds(50), sum => sum.Add(counted));
        counted.Record(1_000_000);
        slices.Cut(TimeSpan.FromMilliseconds(50));
        counted.Record(1_000_000);
        counted.Record(1_000_000);
        slices.Cut(TimeSpan.FromMilliseconds(100));
        Assert.Equal([1, 2], slices.All.Select(slice => slice.Cells.Sum(cell => cell.Count)));
    }
}
