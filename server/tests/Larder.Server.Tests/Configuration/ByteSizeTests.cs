using Larder.Server.Configuration;

namespace Larder.Server.Tests.Configuration;

public sealed class ByteSizeTests
{
    [Theory]
    [InlineData("1048576", 1_048_576)]
    [InlineData("512m", 536_870_912)]
    [InlineData("4g", 4_294_967_296)]
    [InlineData("1.5G", 1_610_612_736)]
    [InlineData("2GiB", 2_147_483_648)]
    [InlineData("64kb", 65_536)]
    public void TryParse_reads_units_as_powers_of_1024(string text, long bytes)
    {
        Assert.True(ByteSize.TryParse(text, out long parsed));
        Assert.Equal(bytes, parsed);
    }

    [Theory]
    [InlineData("")]
    [InlineData("many")]
    [InlineData("-1g")]
    [InlineData("99999999999t")]
    public void TryParse_rejects_invalid_size(string text) => Assert.False(ByteSize.TryParse(text, out _));

    [Theory]
    [InlineData(0, "0 B")]
    [InlineData(1023, "1023 B")]
    [InlineData(1536, "1.5 KiB")]
    [InlineData(6_442_450_944, "6 GiB")]
    public void Format_uses_the_largest_unit(long bytes, string text) => Assert.Equal(text, ByteSize.Format(bytes));
}
