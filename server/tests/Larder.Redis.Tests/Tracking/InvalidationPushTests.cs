using System.Text;

namespace Larder.Redis.Tests.Tracking;

/// <summary>Tests of parsing valid and invalid push messages.</summary>
public sealed class InvalidationPushTests
{
    private readonly TestWatch _watch = new();

    [Theory]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n", "k")]
    [InlineData(">2\r\n+invalidate\r\n*3\r\n$1\r\na\r\n$0\r\n\r\n+b\r\n", "a,,b")]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n_\r\n", "*")]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n*-1\r\n", "*")]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n*0\r\n", "")]
    [InlineData(">2\r\n|1\r\n+a\r\n:1\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n", "k")]
    [InlineData(">1\r\n$3\r\nbye\r\n", "")]
    [InlineData(">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n*2\r\n*0\r\n:1\r\n", "")]
    [InlineData(">1\r\n*1\r\n$10\r\ninvalidate\r\n", "")]
    public void Invalidation_reports_each_key_and_other_pushes_are_ignored(string push, string told)
    {
        InvalidationPush.Tell(Frame(push), _watch);
        Assert.Equal(told, string.Join(',', _watch.Notifications));
    }

    [Theory]
    [InlineData(">1\r\n$10\r\ninvalidate\r\n")]
    [InlineData(">3\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n:1\r\n")]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n$1\r\nk\r\n")]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n:1\r\n")]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n%1\r\n$1\r\nk\r\n$1\r\nk\r\n")]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n*1\r\n*1\r\n$1\r\nk\r\n")]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n*1\r\n_\r\n")]
    [InlineData(">2\r\n$10\r\ninvalidate\r\n*1\r\n:7\r\n")]
    public void Invalid_invalidation_push_throws(string push) =>
        Assert.Throws<InvalidDataException>(() => InvalidationPush.Tell(Frame(push), _watch));

    private static byte[] Frame(string push)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(push);
        Assert.True(new RespScanner().TryScan(bytes, out int length));
        Assert.Equal(bytes.Length, length);
        return bytes;
    }
}
