namespace Larder.Server.Tests;

public sealed class DescriptorLimitTests
{
    // In each case, 100 descriptors are open and 128 are reserved. The other descriptors are available for connections.
    [Theory]
    [InlineData(10_000, 1_048_576, 10_000)]
    [InlineData(10_000, 10_228, 10_000)]
    [InlineData(10_000, 10_227, 9_999)]
    [InlineData(10_000, 1_024, 796)]
    [InlineData(50, 1_024, 50)]
    [InlineData(50, 229, 1)]
    [InlineData(int.MaxValue, long.MaxValue, int.MaxValue)]
    public void Connection_limit_is_reduced_to_available_descriptors(int asked, long limit, int connections) =>
        Assert.Equal(connections, DescriptorLimit.Connections(asked, limit, open: 100));

    [Theory]
    [InlineData(228)]
    [InlineData(22)]
    [InlineData(0)]
    public void Too_few_descriptors_fail_with_error_that_states_required_number(long limit) =>
        Assert.Contains(
            "at least 229",
            Assert.Throws<ServerOptionsException>(() => DescriptorLimit.Connections(10, limit, open: 100)).Message,
            StringComparison.Ordinal);
}
