using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Client;

public sealed class ReadBuffersTests
{
    [Fact]
    public void Rent_returns_distinct_buffers_of_one_size()
    {
        ReadBuffers.Return(new byte[5]);
        ReadBuffers.Return([]);
        byte[][] rented = [.. Enumerable.Range(0, ReadBuffers.MaxIdle + 2).Select(_ => ReadBuffers.Rent())];
        Assert.All(rented, buffer => Assert.Equal(Http2Limits.ReadBytes, buffer.Length));
        Assert.Equal(rented.Length, rented.Distinct(ReferenceEqualityComparer.Instance).Count());
        foreach (byte[] buffer in rented)
        {
            ReadBuffers.Return(buffer);
        }
    }
}
