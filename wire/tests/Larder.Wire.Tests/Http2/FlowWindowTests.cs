using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

public sealed class FlowWindowTests
{
    [Theory]
    [InlineData(FlowWindow.InitialBytes, 1, 65_536)]
    [InlineData(0, int.MaxValue, int.MaxValue)]
    [InlineData(10, -30, -20)]
    [InlineData(-20, 20, 0)]
    [InlineData(int.MaxValue, 0, int.MaxValue)]
    public void A_window_moves_by_as_much_and_may_become_negative(int window, int by, int widened) =>
        Assert.Equal(widened, FlowWindow.Widened(window, by, streamId: 1));

    [Theory]
    [InlineData(int.MaxValue, 1, 0)]
    [InlineData(int.MaxValue, int.MaxValue, 1)]
    [InlineData(1, int.MaxValue, 7)]
    public void A_window_over_the_largest_is_a_breach_of_flow_control(int window, int by, int streamId) =>
        Breach.Ends(Http2ErrorCode.FlowControlError, () => FlowWindow.Widened(window, by, streamId));
}
