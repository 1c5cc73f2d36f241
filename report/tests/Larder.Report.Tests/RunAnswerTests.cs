using Larder.Report.Runs;
using Larder.Report.Tables;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests;

public sealed class RunAnswerTests
{
    [Fact]
    public void RunAnswer_starts_with_headline_and_ends_with_configuration()
    {
        TuneRun run = SampleRun.Make();
        string[] lines = RunAnswer.Of(run).TrimEnd().Split('\n');
        Assert.Equal(Headline.Of(run), lines[0]);
        Assert.StartsWith("The closed loop's knee: 8 in flight", lines[1], StringComparison.Ordinal);
        Assert.StartsWith("held: p99.9 < 20 ms", lines[2], StringComparison.Ordinal);
        Assert.EndsWith(ConfigurationCode.Of(run)!.TrimEnd(), RunAnswer.Of(run).TrimEnd(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("dotnet", "csharp")]
    [InlineData("python", "python")]
    [InlineData("node", "ts")]
    public void Markdown_contains_configuration_code(string language, string fence)
    {
        TuneRun run = SampleRun.Make(language);
        Assert.Contains($"```{fence}\n{ConfigurationCode.Of(run)}```\n", MarkdownTable.Of(run), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_without_result_has_no_configuration_code()
    {
        TuneRun run = SampleRun.Make() with { Proved = null, Recommendation = null };
        Assert.Null(ConfigurationCode.Of(run));
        Assert.StartsWith("No answer", RunAnswer.Of(run), StringComparison.Ordinal);
        Assert.DoesNotContain("```", MarkdownTable.Of(run), StringComparison.Ordinal);
    }
}
