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
    public void A_burst_passes_and_one_frame_more_does_not_until_time_has_gone_by(string kind, int burst)
    {
        ManualTime time = new();
        FloodGuard guard = new(time);
        Action count = kind switch
        {
            "reset" => guard.CountReset,
            "settings" => guard.CountSettings,
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
}
