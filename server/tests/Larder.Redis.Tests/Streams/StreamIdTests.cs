using System.Text;

namespace Larder.Redis.Tests.Streams;

public sealed class StreamIdTests
{
    [Theory]
    [InlineData("0-0", 0, 0)]
    [InlineData("1764000000000-17", 1_764_000_000_000, 17)]
    [InlineData("18446744073709551615-18446744073709551615", ulong.MaxValue, ulong.MaxValue)]
    public void StreamId_round_trips(string text, ulong page, ulong number)
    {
        var id = StreamId.Parse(Encoding.ASCII.GetBytes(text));
        Assert.Equal(new StreamId(page, number), id);
        Span<byte> written = stackalloc byte[StreamId.MaxBytes];
        Assert.Equal(text, Encoding.ASCII.GetString(written[..id.Format(written)]));
        Assert.Equal(text, id.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("-")]
    [InlineData("1")]
    [InlineData("1-")]
    [InlineData("-1")]
    [InlineData("1-2-3")]
    [InlineData("1-2 ")]
    [InlineData("1--2")]
    [InlineData("18446744073709551616-0")]
    [InlineData("x-y")]
    public void Parse_rejects_invalid_id(string text) => Assert.Throws<InvalidDataException>(() => StreamId.Parse(Encoding.ASCII.GetBytes(text)));

    [Fact]
    public void StreamId_orders_by_page_then_number()
    {
        StreamId[] ordered = [new(0, 0), new(0, 1), new(0, ulong.MaxValue), new(1, 0), new(ulong.MaxValue, 0)];
        for (int index = 1; index < ordered.Length; index++)
        {
            Assert.True(ordered[index - 1] < ordered[index] && ordered[index] > ordered[index - 1]);
            Assert.True(ordered[index - 1] <= ordered[index] && ordered[index] >= ordered[index]);
        }
    }
}
