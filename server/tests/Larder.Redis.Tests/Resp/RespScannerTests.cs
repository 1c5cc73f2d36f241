using System.Text;

namespace Larder.Redis.Tests;

/// <summary>Tests of finding the end of a value, and of rejecting invalid data.</summary>
public sealed class RespScannerTests
{
    /// <summary>One value of each type, in the format that Redis writes.</summary>
    public static TheoryData<string> Values => new(
        "+OK\r\n",
        "+\r\n",
        "-ERR no\r\n",
        ":12\r\n",
        ":-9223372036854775808\r\n",
        "$0\r\n\r\n",
        "$5\r\nab\r\nc\r\n",
        "$-1\r\n",
        "*-1\r\n",
        "*0\r\n",
        "_\r\n",
        "#t\r\n",
        "#f\r\n",
        ",1.5e-3\r\n",
        ",inf\r\n",
        ",-inf\r\n",
        ",nan\r\n",
        "(3492890328409238509324850943850943825024385\r\n",
        "!7\r\nSYNTAX!\r\n",
        "=7\r\ntxt:abc\r\n",
        "*2\r\n*1\r\n:1\r\n$1\r\nx\r\n",
        "%2\r\n+a\r\n:1\r\n+b\r\n*0\r\n",
        "~3\r\n:1\r\n:2\r\n:3\r\n",
        "|1\r\n+ttl\r\n:3600\r\n$3\r\nabc\r\n",
        "*2\r\n|1\r\n+a\r\n~1\r\n:1\r\n:1\r\n:2\r\n",
        "|0\r\n+OK\r\n",
        ">2\r\n+message\r\n*1\r\n$1\r\nx\r\n");

    [Theory]
    [MemberData(nameof(Values))]
    public void TryScan_finds_exact_end_of_value(string value)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(value + "+NEXT\r\n");
        RespScanner scanner = new();
        for (int come = 0; come < value.Length; come++)
        {
            Assert.False(scanner.TryScan(bytes.AsSpan(0, come), out _), $"whole after {come} bytes");
        }

        Assert.True(scanner.TryScan(bytes, out int length));
        Assert.Equal(value.Length, length);
        Assert.Equal(value[0] == '>', scanner.IsPush);
        Assert.True(scanner.TryScan(bytes.AsSpan(length), out length));
        Assert.Equal("+NEXT\r\n".Length, length);
        Assert.False(scanner.IsPush);
    }

    [Theory]
    [InlineData("x\r\n")]
    [InlineData("\r\n")]
    [InlineData("\0\r\n")]
    [InlineData("+a\rb\r\n")]
    [InlineData(":\r\n")]
    [InlineData(":1a\r\n")]
    [InlineData(":9223372036854775808\r\n")]
    [InlineData(":99999999999999999999\r\n")]
    [InlineData("$-2\r\n")]
    [InlineData("$abc\r\n")]
    [InlineData("$3\r\nabcde\r\n")]
    [InlineData("~-1\r\n")]
    [InlineData("%-1\r\n")]
    [InlineData("$268435457\r\n")]
    [InlineData("$9223372036854775807\r\n")]
    [InlineData("*268435456\r\n")]
    [InlineData("%9223372036854775807\r\n")]
    [InlineData("#x\r\n")]
    [InlineData("#tt\r\n")]
    [InlineData("_x\r\n")]
    [InlineData(",\r\n")]
    [InlineData(",0x10\r\n")]
    [InlineData("(12.5\r\n")]
    [InlineData("=3\r\nabc\r\n")]
    [InlineData("=5\r\nabcde\r\n")]
    [InlineData("*1\r\n>1\r\n+a\r\n")]
    [InlineData(">0\r\n")]
    [InlineData("$?\r\n")]
    [InlineData("HTTP/1.1 400 Bad Request\r\n")]
    public void TryScan_rejects_invalid_RESP3(string value) =>
        Assert.Throws<InvalidDataException>(() => new RespScanner().TryScan(Encoding.Latin1.GetBytes(value), out _));

    [Fact]
    public void TryScan_limits_nesting()
    {
        string nested = string.Concat(Enumerable.Repeat("*1\r\n", RespScanner.MaxNesting));
        Assert.True(new RespScanner().TryScan(Encoding.Latin1.GetBytes(nested + ":1\r\n"), out _));
        Assert.Throws<InvalidDataException>(() => new RespScanner().TryScan(Encoding.Latin1.GetBytes(nested + "*1\r\n:1\r\n"), out _));
    }

    [Fact]
    public void TryScan_limits_line_length()
    {
        byte[] line = new byte[RespScanner.MaxLineBytes];
        line.AsSpan().Fill((byte)'+');
        RespScanner scanner = new();
        Assert.False(scanner.TryScan(line.AsSpan(0, line.Length - 1), out _));
        Assert.Throws<InvalidDataException>(() => scanner.TryScan(line, out _));
    }

    [Fact]
    public void TryScan_limits_total_reply_size()
    {
        RespScanner scanner = new(mostBytes: 64);
        Assert.True(scanner.TryScan("*2\r\n$20\r\n01234567890123456789\r\n$20\r\n01234567890123456789\r\n"u8, out _));
        Assert.Throws<InvalidDataException>(() => scanner.TryScan("*2\r\n$20\r\n01234567890123456789\r\n$60\r\n"u8, out _));
    }

    [Fact]
    public void TryScan_limits_push_size_below_the_reply_size()
    {
        byte[] bytes = new byte[RespScanner.MaxPushBytes + 1];
        foreach ((string head, bool isGivenUp) in (ReadOnlySpan<(string, bool)>)[(">1000000\r\n", true), ("*1000000\r\n", false)])
        {
            bytes.AsSpan().Fill((byte)'$');
            Encoding.ASCII.GetBytes(head, bytes);
            for (int at = head.Length; at + 7 <= bytes.Length; at += 7)
            {
                "$1\r\nk\r\n"u8.CopyTo(bytes.AsSpan(at));
            }

            RespScanner scanner = new();
            Assert.False(scanner.TryScan(bytes.AsSpan(0, RespScanner.MaxPushBytes), out _));
            Exception? broken = Record.Exception(() => scanner.TryScan(bytes, out _));
            Assert.Equal(isGivenUp, broken is InvalidDataException);
        }
    }

    [Fact]
    public void TryScan_counts_attributes_toward_the_reply_size_limit()
    {
        byte[] bytes = Encoding.Latin1.GetBytes(string.Concat(Enumerable.Repeat("|1\r\n+a\r\n+b\r\n", 100)));
        Assert.Throws<InvalidDataException>(() => new RespScanner(mostBytes: 512).TryScan(bytes, out _));
    }
}
