using System.Text;

namespace Larder.Redis.Tests;

/// <summary>Tests of parsing the reply to CLUSTER SLOTS.</summary>
public sealed class SlotRangeTests
{
    private static readonly RedisEndPoint s_asked = new("gateway.example", 7000);

    [Fact]
    public void Read_returns_range_with_master_and_replicas()
    {
        SlotRange range = Assert.Single(Read(
            "*1\r\n*4\r\n:0\r\n:5460\r\n*4\r\n$9\r\n127.0.0.1\r\n:7001\r\n$2\r\nid\r\n*0\r\n"
            + "*4\r\n$9\r\n127.0.0.1\r\n:7004\r\n$2\r\nid\r\n*2\r\n+hostname\r\n+h\r\n"));
        Assert.Equal((0, 5460, new RedisEndPoint("127.0.0.1", 7001)), (range.First, range.Last, range.Master));
        Assert.Equal([new RedisEndPoint("127.0.0.1", 7004)], range.Replicas);
    }

    [Theory]
    [InlineData("$0\r\n\r\n")]
    [InlineData("_\r\n")]
    [InlineData("$-1\r\n")]
    [InlineData("$1\r\n?\r\n")]
    public void Missing_host_is_replaced_by_responding_node(string host) =>
        Assert.Equal(new RedisEndPoint("gateway.example", 7009), Assert.Single(Read($"*1\r\n*3\r\n:1\r\n:1\r\n*3\r\n{host}:7009\r\n$2\r\nid\r\n")).Master);

    [Fact]
    public void Empty_reply_has_no_ranges() => Assert.Empty(Read("*0\r\n"));

    [Theory]
    [InlineData(":1\r\n")]
    [InlineData("*1\r\n:1\r\n")]
    [InlineData("*1\r\n*2\r\n:0\r\n:1\r\n")]
    [InlineData("*1\r\n*3\r\n:5\r\n:4\r\n*2\r\n+h\r\n:1\r\n")]
    [InlineData("*1\r\n*3\r\n:0\r\n:16384\r\n*2\r\n+h\r\n:1\r\n")]
    [InlineData("*1\r\n*3\r\n:-1\r\n:4\r\n*2\r\n+h\r\n:1\r\n")]
    [InlineData("*1\r\n*3\r\n:0\r\n:4\r\n*2\r\n+h\r\n:99999\r\n")]
    [InlineData("*1\r\n*3\r\n:0\r\n:4\r\n*1\r\n+h\r\n")]
    [InlineData("*1\r\n*3\r\n:0\r\n:4\r\n:7\r\n")]
    public void Read_rejects_invalid_slot_map(string reply) => Assert.Throws<InvalidDataException>(() => Read(reply));

    private static IReadOnlyList<SlotRange> Read(string reply)
    {
        RespReader reader = new(Encoding.UTF8.GetBytes(reply));
        return SlotRange.Read(ref reader, s_asked);
    }
}
