using Larder.Server.Configuration;

namespace Larder.Server.Tests.Configuration;

public sealed class DurationTextTests
{
    [Theory]
    [InlineData("0.1s", "0.1s")]
    [InlineData("1s", "1s")]
    [InlineData("60s", "60s")]
    [InlineData("90s", "90s")]
    [InlineData("120s", "2m")]
    [InlineData("24h", "24h")]
    [InlineData("30d", "30d")]
    public void Format_uses_the_largest_whole_unit(string text, string formatted)
    {
        Assert.True(DurationText.TryParse(text, out TimeSpan duration));
        Assert.Equal(formatted, DurationText.Format(duration));
        Assert.True(DurationText.TryParse(formatted, out TimeSpan parsed));
        Assert.Equal(duration, parsed);
    }

    [Fact]
    public void Help_shows_readable_defaults()
    {
        StringWriter output = new();
        System.CommandLine.RootCommand command = new ServeCommand().Build(static (_, _) => Task.FromResult(0));
        command.Parse("--help").Invoke(new System.CommandLine.InvocationConfiguration { Output = output });
        Assert.Contains("[default: 24h]", output.ToString(), StringComparison.Ordinal);
        Assert.Matches(@"\[default: [0-9.]+ [MGT]iB\]", output.ToString());
        Assert.DoesNotContain("00:00", output.ToString(), StringComparison.Ordinal);
    }
}
