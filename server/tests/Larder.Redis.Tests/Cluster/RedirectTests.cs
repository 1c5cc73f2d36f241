using System.Text;

namespace Larder.Redis.Tests;

/// <summary>Tests of parsing MOVED and ASK redirects.</summary>
public sealed class RedirectTests
{
    private static readonly RedisEndPoint s_sender = new("10.0.0.1", 7000);

    [Theory]
    [InlineData("MOVED 3999 127.0.0.1:6381", 3999, "127.0.0.1", 6381)]
    [InlineData("ASK 0 redis-3.example:7002", 0, "redis-3.example", 7002)]
    [InlineData("MOVED 16383 ::1:7001", 16383, "::1", 7001)]
    [InlineData("MOVED 5 :7001", 5, "10.0.0.1", 7001)]
    public void Parse_returns_slot_and_node_of_redirect(string text, int slot, string host, int port) =>
        Assert.Equal(new Redirect(slot, new RedisEndPoint(host, port)), Redirect.Parse(Encoding.UTF8.GetBytes(text), s_sender));

    [Theory]
    [InlineData("MOVED")]
    [InlineData("MOVED 1")]
    [InlineData("MOVED x h:1")]
    [InlineData("MOVED -1 h:1")]
    [InlineData("MOVED 16384 h:1")]
    [InlineData("MOVED 1 h")]
    [InlineData("MOVED 1 h:")]
    [InlineData("MOVED 1 h:0")]
    [InlineData("MOVED 1 h:65536")]
    [InlineData("ASK 1 h:70000000000000000000")]
    public void Parse_returns_null_for_invalid_redirect(string text) => Assert.Null(Redirect.Parse(Encoding.UTF8.GetBytes(text), s_sender));
}
