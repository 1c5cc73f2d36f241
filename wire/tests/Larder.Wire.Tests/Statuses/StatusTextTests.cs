namespace Larder.Wire.Tests.Statuses;

public sealed class StatusTextTests
{
    [Fact]
    public void Every_status_code_round_trips()
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
    public void Parse_returns_Unknown_for_invalid_code(string text) => Assert.Equal(StatusCode.Unknown, StatusText.Parse(text));
}
