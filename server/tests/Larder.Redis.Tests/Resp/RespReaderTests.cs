using System.Text;

namespace Larder.Redis.Tests;

/// <summary>Tests of reading complete values.</summary>
public sealed class RespReaderTests
{
    [Fact]
    public void Bulk_string_may_be_binary_or_empty()
    {
        RespReader reader = new("$6\r\na\r\n\0b$\r\n"u8);
        Assert.Equal(RespKind.Bytes, reader.Kind);
        Assert.True(reader.Bytes.SequenceEqual("a\r\n\0b$"u8));
        reader = new("$0\r\n\r\n"u8);
        Assert.Equal(RespKind.Bytes, reader.Kind);
        Assert.True(reader.Bytes.IsEmpty);
        Assert.False(reader.Read());
    }

    [Theory]
    [InlineData("_\r\n")]
    [InlineData("$-1\r\n")]
    [InlineData("*-1\r\n")]
    public void IsNull_accepts_every_null_encoding(string value) => Assert.True(new RespReader(Encoding.Latin1.GetBytes(value)).IsNull);

    [Theory]
    [InlineData(":-7\r\n", true, -7)]
    [InlineData(":+7\r\n", true, 7)]
    [InlineData(":9223372036854775807\r\n", true, long.MaxValue)]
    [InlineData(":-9223372036854775808\r\n", true, long.MinValue)]
    [InlineData("$2\r\n42\r\n", true, 42)]
    [InlineData("+0\r\n", true, 0)]
    [InlineData("$3\r\n42x\r\n", false, 42)]
    [InlineData("$0\r\n\r\n", false, 0)]
    [InlineData("_\r\n", false, 0)]
    public void TryGetInteger_reads_integers_and_integer_text(string value, bool isOne, long number)
    {
        Assert.Equal(isOne, new RespReader(Encoding.Latin1.GetBytes(value)).TryGetInteger(out long read));
        Assert.True(!isOne || read == number);
    }

    [Theory]
    [InlineData(",1.25\r\n", 1.25)]
    [InlineData(",-1e300\r\n", -1e300)]
    [InlineData(",inf\r\n", double.PositiveInfinity)]
    [InlineData(",-inf\r\n", double.NegativeInfinity)]
    [InlineData("$4\r\n-inf\r\n", double.NegativeInfinity)]
    [InlineData(":3\r\n", 3.0)]
    public void TryGetDouble_reads_doubles_integers_and_text(string value, double number)
    {
        Assert.True(new RespReader(Encoding.Latin1.GetBytes(value)).TryGetDouble(out double read));
        Assert.Equal(number, read);
    }

    [Fact]
    public void Arrays_are_read_depth_first_and_can_be_skipped()
    {
        RespReader reader = new("*3\r\n*2\r\n:1\r\n*1\r\n:2\r\n%1\r\n+k\r\n+v\r\n:3\r\n"u8);
        Assert.Equal((RespKind.Array, 3), (reader.Kind, reader.Count));
        Assert.True(reader.Read());
        Assert.Equal((RespKind.Array, 2), (reader.Kind, reader.Count));
        reader.Skip();
        Assert.True(reader.Read());
        Assert.Equal((RespKind.Map, 2), (reader.Kind, reader.Count));
        Assert.True(reader.Read());
        Assert.Equal(RespKind.Text, reader.Kind);
        Assert.True(reader.Read());
        Assert.True(reader.Bytes.SequenceEqual("v"u8));
        Assert.True(reader.Read());
        Assert.Equal(3, reader.Integer);
        Assert.False(reader.Read());
    }

    [Fact]
    public void Attributes_are_skipped_at_any_position()
    {
        RespReader reader = new("|1\r\n+a\r\n*2\r\n:1\r\n|1\r\n+b\r\n:9\r\n:2\r\n*2\r\n|1\r\n+c\r\n:1\r\n:5\r\n:6\r\n"u8);
        Assert.Equal((RespKind.Array, 2), (reader.Kind, reader.Count));
        Assert.True(reader.Read());
        Assert.Equal(5, reader.Integer);
        Assert.True(reader.Read());
        Assert.Equal(6, reader.Integer);
        Assert.False(reader.Read());
    }

    [Fact]
    public void Verbatim_strings_bulk_errors_and_booleans_are_decoded()
    {
        Assert.True(new RespReader("=7\r\ntxt:abc\r\n"u8).Bytes.SequenceEqual("abc"u8));
        RespReader error = new("!9\r\nERR wrong\r\n"u8);
        Assert.Equal(RespKind.Error, error.Kind);
        Assert.True(error.Bytes.SequenceEqual("ERR wrong"u8));
        Assert.True(new RespReader("#t\r\n"u8).Boolean);
        Assert.False(new RespReader("#f\r\n"u8).Boolean);
    }
}
