namespace Larder.Server.Tests;

public sealed class MemorySharesTests
{
    private const long Mib = 1L << 20;

    [Theory]
    [InlineData(16, 8)]
    [InlineData(64, 32)]
    [InlineData(192, 32)]
    [InlineData(256, 32)]
    [InlineData(512, 64)]
    [InlineData(8_192, 1_024)]
    [InlineData(65_536, 1_024)]
    public void Buffers_get_an_eighth_of_memory_within_limits(long memoryMib, long bufferMib)
    {
        MemoryShares shares = MemoryShares.Of(memoryMib * Mib);
        Assert.Equal((bufferMib * Mib, (memoryMib - bufferMib) * Mib), (shares.BufferBytes, shares.StoreBytes));
    }
}
