using Larder.Wire.Http2.Hpack;

namespace Larder.Wire.Tests.Server;

public sealed class RpcRequestHeadersTests
{
    [Fact]
    public void Indexer_joins_repeated_values_with_commas_in_order() =>
        Assert.Equal("1,2,3", new RpcRequestHeaders(("a", "1"), ("b", "x"), ("a", "2"), ("a", "3"))["a"]);

    [Fact]
    public void Indexer_returns_single_value_without_copy()
    {
        string value = new('v', 10);
        Assert.Same(value, new RpcRequestHeaders(("a", value))["a"]);
        Assert.Equal("", new RpcRequestHeaders(("a", value))["b"]);
    }

    [Fact]
    public void Known_header_properties_join_repeated_values_and_Clear_empties_them()
    {
        RpcRequestHeaders headers = new(("authorization", "t"), ("x", "1"), ("grpc-timeout", "1S"), ("grpc-encoding", "gzip"));
        Assert.Equal(("t", "1S", "gzip"), (headers.Authorization, headers.Timeout, headers.Encoding));
        headers.Add(new HeaderField("authorization", "u"));
        Assert.Equal(("t,u", "1S", "gzip"), (headers.Authorization, headers.Timeout, headers.Encoding));
        headers.Clear();
        Assert.Equal(("", "", ""), (headers.Authorization, headers.Timeout, headers.Encoding));
        headers.Add(new HeaderField("authorization", "v"));
        Assert.Equal("v", headers.Authorization);
    }

    [Fact]
    public void Joining_values_allocates_in_proportion_to_result()
    {
        RpcRequestHeaders headers = new();
        HeaderField field = new("grpc-timeout", new string('1', 35));
        for (int count = 0; count < 455; count++)
        {
            headers.Add(field);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        string joined = headers["grpc-timeout"];
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal((455 * 36) - 1, joined.Length);
        Assert.InRange(allocated, 0, joined.Length * sizeof(char) * 2);
    }
}
