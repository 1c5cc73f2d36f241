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
    public void Widened_adds_increment_and_may_return_negative_window(int window, int by, int widened) =>
        Assert.Equal(widened, FlowWindow.Widened(window, by, streamId: 1));

    [Theory]
    [InlineData(int.MaxValue, 1, 0)]
    [InlineData(int.MaxValue, int.MaxValue, 1)]
    [InlineData(1, int.MaxValue, 7)]
    public void Widened_throws_FlowControlError_above_maximum(int window, int by, int streamId) =>
        Violation.Ends(Http2ErrorCode.FlowControlError, () => FlowWindow.Widened(window, by, streamId));
}
