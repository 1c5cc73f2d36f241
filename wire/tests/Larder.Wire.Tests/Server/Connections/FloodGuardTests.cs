using Larder.Harness.Clocks;
using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Server.Connections;

public sealed class FloodGuardTests
{
    [Theory]
    [InlineData("reset", 1_000)]
    [InlineData("settings", 100)]
    [InlineData("other", 100)]
    [InlineData("continuation", 100)]
    [InlineData("empty data", 1_000)]
    [InlineData("window update", 10_000)]
    [InlineData("field too many", 10_000)]
    public void FloodGuard_allows_burst_and_rejects_next_frame_until_time_passes(string kind, int burst)
    {
        ManualTime time = new();
        FloodGuard guard = new(time);
        Action count = kind switch
        {
            "reset" => guard.CountReset,
            "settings" => () => guard.CountSettings(entries: 6),
            "window update" => guard.CountWindowUpdate,
            "field too many" => () => guard.CountFieldsTooMany(1),
            "continuation" => guard.CountContinuation,
            "empty data" => guard.CountEmptyData,
            _ => guard.CountOther,
        };
        for (int index = 0; index < burst; index++)
        {
            count();
        }

        Assert.Equal(Http2ErrorCode.EnhanceYourCalm, Assert.Throws<Http2ConnectionException>(count).Code);
        time.Advance(TimeSpan.FromSeconds(1));
        count();
    }

    [Theory]
    [InlineData(1_584, true)]
    [InlineData(1_600, false)]
    [InlineData(15_840, false)]
    public void Settings_frame_costs_more_with_more_entries(int entries, bool passes)
    {
        // Sixteen entries count as one more frame. So a frame with 1,584 entries counts as 100 frames, which is the maximum burst.
        FloodGuard guard = new(new ManualTime());
        Assert.Equal(passes, Record.Exception(() => guard.CountSettings(entries)) is null);
    }

    [Theory]
    [InlineData(10_000, true)]
    [InlineData(10_001, false)]
    [InlineData(100_000, false)]
    public void FloodGuard_counts_each_forbidden_field(int fields, bool passes) =>
        Assert.Equal(passes, Record.Exception(() => new FloodGuard(new ManualTime()).CountFieldsTooMany(fields)) is null);
}
