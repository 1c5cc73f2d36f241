namespace Larder.Server.Tests;

public sealed class ConnectionMemoryTests
{
    [Theory]
    [InlineData(10_000, 16L << 20, 64)]
    [InlineData(10_000, 256L << 20, 1_024)]
    [InlineData(10_000, 1L << 30, 4_096)]
    [InlineData(4_096, 1L << 30, 4_096)]
    [InlineData(4_095, 1L << 30, 4_095)]
    [InlineData(4_097, 1L << 30, 4_096)]
    [InlineData(40_960, 1L << 30, 4_096)]
    [InlineData(int.MaxValue, long.MaxValue, int.MaxValue)]
    public void TlsConnections_is_limited_by_available_memory(int asked, long memoryBytes, int connections) =>
        Assert.Equal(connections, ConnectionMemory.TlsConnections(asked, memoryBytes));
}
