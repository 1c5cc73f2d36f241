using System.Globalization;
using System.Text;
using Larder.Report.Runs;
using Larder.Tuner.Machine;

namespace Larder.Lab.Fleet;

/// <summary>The result of a fleet soak.</summary>
internal sealed record FleetSoakResult(
    TimeSpan Duration,
    IReadOnlyList<(bool Passed, string Text)> Checks,
    IReadOnlyList<FleetSoakRound> Rounds,
    IReadOnlyList<FleetSoakSample> Samples)
{
    public bool Passed => Checks.All(static check => check.Passed);

    /// <summary>Formats the result as a Markdown file.</summary>
    public string ToMarkdown(string command)
    {
        var text = new StringBuilder("# Soak of a fleet: 3 masters, 3 replicas, 2 gateways\n\n");
        text.AppendJoin('\n', ThisMachine.Fingerprint().Lines(command)).AppendLine();
        text.AppendLine(CultureInfo.InvariantCulture, $"- load: the .NET client for {Duration.TotalMinutes:N1} minutes; every response is verified");
        text.AppendLine(
            "- faults, every minute: a master is killed and restarted as a replica, 100 slots are moved, and the second gateway is killed and restarted");
        text.AppendLine().AppendLine(Passed ? "**Passed.**" : "**Failed.**").AppendLine();
        foreach ((bool passed, string check) in Checks)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"- {(passed ? "pass" : "FAIL")}: {check}");
        }

        text.AppendLine()
            .AppendLine(
                "| minute | replica promoted after (s) | calls to the affected slots succeeded after (s) | slots moved in (s) "
                    + "| gateway reconnected after (s) |")
            .AppendLine("|---:|---:|---:|---:|---:|");
        foreach ((int index, FleetSoakRound round) in Rounds.Index())
        {
            text.AppendLine(
                CultureInfo.InvariantCulture,
                $"| {index + 1} | {round.Promoted.TotalSeconds:F2} | {round.WorkedAgain.TotalSeconds:F2} | {round.Resharded.TotalSeconds:F2} | "
                    + $"{round.GatewayBack.TotalSeconds:F2} |");
        }

        text.AppendLine()
            .AppendLine("| time (s) | first gateway resident (MiB) | file descriptors | streams | commands in flight | commands queued |")
            .AppendLine("|---:|---:|---:|---:|---:|---:|");
        foreach (FleetSoakSample sample in Samples)
        {
            text.AppendLine(
                CultureInfo.InvariantCulture,
                $"| {sample.At.TotalSeconds:N0} | {sample.ResidentBytes / 1048576.0:F1} | {sample.Descriptors} | {sample.Streams} | {sample.Outstanding} | "
                    + $"{sample.Waiting} |");
        }

        return text.ToString();
    }
}
