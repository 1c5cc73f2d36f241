using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Client;

public sealed class ReadBuffersTests
{
    [Fact]
    public void Whatever_is_given_back_all_are_of_one_size_and_no_two_hold_the_same()
    {
        ReadBuffers.Return(new byte[5]);
        ReadBuffers.Return([]);
        byte[][] rented = [.. Enumerable.Range(0, ReadBuffers.MostIdle + 2).Select(_ => ReadBuffers.Rent())];
        Assert.All(rented, buffer => Assert.Equal(Http2Limits.ReadBytes, buffer.Length));
        Assert.Equal(rented.Length, rented.Distinct(ReferenceEqualityComparer.Instance).Count());
        foreach (byte[] buffer in rented)
        {
            ReadBuffers.Return(buffer);
        }
    }
}
