using Larder.Agent;

namespace Larder.Lab.Tests.Near;

/// <summary>Tests the values of a near run. clients/node/agent and clients/python/tests contain the same test cases.</summary>
public sealed class NearValueTests
{
    [Theory]
    [InlineData(12)]
    [InlineData(100)]
    public void VersionOf_returns_version_only_for_its_own_key(int bytes)
    {
        byte[] value = NearValue.Of(7, 300, bytes);

        Assert.Equal(bytes, value.Length);
        Assert.Equal(300, NearValue.VersionOf(value, 7));
        Assert.Equal(0, NearValue.VersionOf(value, 8));
        Assert.Equal(0, NearValue.VersionOf(value.AsSpan(0, bytes - 1), 7));
        Assert.Equal("070000002c010000", Convert.ToHexStringLower(value.AsSpan(0, 8)));
    }
}
