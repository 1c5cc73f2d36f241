using System.Text;
using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Report;

/// <summary>
/// What a person wants to read when a run has ended, on a terminal: the answer, the closed loop's knee, what to know beside them, and the
/// configuration to paste.
/// </summary>
internal static class RunAnswer
{
    /// <summary>The lines.</summary>
    public static string Of(TuneRun run)
    {
        var text = new StringBuilder();
        text.AppendLine(Headline.Of(run));
        foreach (
            string? sentence in new[] { Headline.Sentence(Headline.Knee(run)), NoiseBanner.Of(run) }.OfType<string>()
                .Concat(run.Assertions.Select(MarkdownTable.Said))
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
