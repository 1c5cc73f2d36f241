namespace Larder.Wire.Tests.Statuses;

public sealed class StatusTextTests
{
    [Fact]
    public void Every_code_is_written_and_read_back()
    {
        foreach (StatusCode code in Enum.GetValues<StatusCode>())
        {
            Assert.Equal(code, StatusText.Parse(StatusText.Of(code)));
        }
    }

    [Theory]
    [InlineData("17")]
    [InlineData("-1")]
    [InlineData("")]
    [InlineData("OK")]
    [InlineData("99999999999")]
    public void What_is_no_code_is_unknown(string text) => Assert.Equal(StatusCode.Unknown, StatusText.Parse(text));
}
