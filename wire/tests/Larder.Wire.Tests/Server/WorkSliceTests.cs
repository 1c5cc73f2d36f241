using Larder.Harness.Clocks;

namespace Larder.Wire.Tests.Server;

/// <summary>Tests when work must yield, and after how many items of work the clock is read for this decision.</summary>
public sealed class WorkSliceTests
{
    private readonly ManualTime _time = new();

    [Theory]
    [InlineData(-1, false)]
    [InlineData(0, true)]
    [InlineData(1, true)]
    [InlineData(45_000, true)]
    public void Slice_ends_after_its_maximum_duration(long ticksPast, bool isOver)
    {
        WorkSlice slice = new(_time);
        _time.Advance(WorkSlice.Length + TimeSpan.FromTicks(ticksPast));
        Count(ref slice, WorkSlice.ItemsPerCheck);
        Assert.Equal(isOver, slice.IsOver);
    }

    [Fact]
    public void Slice_reads_clock_every_eight_items()
    {
        WorkSlice slice = new(_time);
        _time.Advance(10 * WorkSlice.Length);
        Count(ref slice, WorkSlice.ItemsPerCheck - 1);
        Assert.False(slice.IsOver);
        Assert.True(slice.Count());
        int looks = 0;
        _time.Asked = () => looks++;
        Count(ref slice, 10 * WorkSlice.ItemsPerCheck);
        Assert.Equal(10, looks);
    }

    [Fact]
    public void Begin_starts_new_slice()
    {
        WorkSlice slice = new(_time);
        _time.Advance(WorkSlice.Length);
        Count(ref slice, WorkSlice.ItemsPerCheck);
        slice.Begin(_time.GetTimestamp());
        Assert.False(slice.IsOver);
        Count(ref slice, WorkSlice.ItemsPerCheck);
        Assert.False(slice.IsOver);
        _time.Advance(WorkSlice.Length);
        Count(ref slice, WorkSlice.ItemsPerCheck);
        Assert.True(slice.IsOver);
    }

    private static void Count(ref WorkSlice slice, int items)
    {
        for (int i = 0; i < items; i++)
        {
            slice.Count();
        }
    }
}
