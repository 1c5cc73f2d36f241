using System.Text;
using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Report;

/// <summary>The terminal output after a run: the result, the knee of the closed loop, notes, and the recommended configuration as code.</summary>
internal static class RunAnswer
{
    /// <summary>Returns the output.</summary>
    public static string Of(TuneRun run)
    {
        var text = new StringBuilder();
        text.AppendLine(Headline.Of(run));
        foreach (
            string? sentence in new[] { Headline.Sentence(Headline.Knee(run)), NoiseBanner.Of(run) }.OfType<string>()
                .Concat(run.Assertions.Select(MarkdownTable.AssertionText))
                .Concat(run.Notes.Select(note => $"note: {note}")))
        {
            text.AppendLine(sentence);
        }

        if (ConfigurationCode.Of(run) is { } code)
        {
            text.AppendLine().AppendLine(code.TrimEnd());
        }

        return text.ToString();
    }
}
