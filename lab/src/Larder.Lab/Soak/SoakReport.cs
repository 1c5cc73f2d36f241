using System.Globalization;
using System.Text;
using Larder.Report.Runs;
using Larder.Tuner.Machine;

namespace Larder.Lab.Soak;

/// <summary>Formats a soak as a Markdown file.</summary>
internal static class SoakReport
{
    /// <summary>Returns the text of the file.</summary>
    public static string Of(string command, SoakOptions options, SoakVerdict verdict, double ratePerSecond, IReadOnlyList<SoakSample> samples)
    {
        var text = new StringBuilder();
        text.AppendLine(CultureInfo.InvariantCulture, $"# Soak: {options.Client}, {options.Transport}").AppendLine();
        text.AppendJoin('\n', ThisMachine.Fingerprint().Lines(command)).AppendLine();
        text.AppendLine(
            CultureInfo.InvariantCulture,
            $"- {options.Duration.TotalMinutes:N1} minutes, open loop at {ratePerSecond:N0} calls per second "
                + $"({options.ShareOfBest:P0} of the best rate through the same proxy); "
                + $"a connection is reset every {options.BetweenResets.TotalSeconds:N0} s; errors and delays are injected into a neighbour");
        text.AppendLine().AppendLine(verdict.Passed ? "**Passed.**" : "**Failed.**").AppendLine();
        foreach ((bool passed, string? check) in verdict.Checks)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"- {(passed ? "pass" : "FAIL")}: {check}");
        }

        text.AppendLine()
            .AppendLine("| time (s) | client resident memory (MiB) | client managed memory (MiB) | server resident memory (MiB) | connections |")
            .AppendLine("|---:|---:|---:|---:|---:|");
        foreach (SoakSample sample in samples)
        {
            text.AppendLine(
                CultureInfo.InvariantCulture,
                $"| {sample.At.TotalSeconds:N0} | {sample.ClientResidentBytes >> 20} | {sample.ClientManagedBytes / 1048576.0:F1} | "
                    + $"{(sample.ServerResidentBytes ?? 0) >> 20} | {sample.Connections} |");
        }

        return text.ToString();
    }
}
