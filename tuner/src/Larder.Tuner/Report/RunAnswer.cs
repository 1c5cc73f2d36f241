using System.Text;
using Larder.Tuner.Report.Tables;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Report;

/// <summary>
/// What a person wants to read when a run has ended, on a terminal: the answer, whether it was proved, what to know beside it, and the configuration to paste.
/// </summary>
internal static class RunAnswer
{
    /// <summary>The lines.</summary>
    public static string Of(TuneRun run)
    {
        var text = new StringBuilder();
        text.AppendLine(Headline.Of(run));
        foreach (
            string? sentence in new[] { ProofVerdict.Of(run) }
                .Where(sentence => sentence.Length > 0)
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
