namespace Larder.Server.Tests;

public sealed class DescriptorLimitTests
{
    // 100 open descriptors and a reserve of 128 are not available to connections.
    [Theory]
    [InlineData(10_000, 1_048_576, 10_000)]
    [InlineData(10_000, 10_228, 10_000)]
    [InlineData(10_000, 10_227, 9_999)]
    [InlineData(10_000, 1_024, 796)]
    [InlineData(50, 1_024, 50)]
    [InlineData(50, 229, 1)]
    [InlineData(int.MaxValue, long.MaxValue, int.MaxValue)]
    public void Connections_are_what_was_asked_for_or_what_the_limit_leaves(int asked, long limit, int connections) =>
        Assert.Equal(connections, DescriptorLimit.Connections(asked, limit, open: 100));

    [Theory]
    [InlineData(228)]
    [InlineData(22)]
    [InlineData(0)]
    public void A_limit_that_leaves_no_room_for_one_is_said_with_what_is_needed(long limit) =>
        Assert.Contains(
            "229 or more",
            Assert.Throws<ServerOptionsException>(() => DescriptorLimit.Connections(10, limit, open: 100)).Message,
            StringComparison.Ordinal);
}
