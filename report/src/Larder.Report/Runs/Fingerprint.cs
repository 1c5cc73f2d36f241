using System.Globalization;

namespace Larder.Report.Runs;

/// <summary>What a figure was measured on: machine, commit, date, command.</summary>
internal sealed record Fingerprint(string Cpu, int Processors, long MemoryBytes, string System, string Runtime, string Commit, DateTimeOffset Date)
{
    /// <summary>One line each, as Markdown.</summary>
    public IEnumerable<string> Lines(string command) =>
    [
        $"- machine: {Cpu}, {Processors} processors, {MemoryBytes / (1L << 30)} GiB, {System}, {Runtime}",
        $"- commit: {Commit}",
        string.Create(CultureInfo.InvariantCulture, $"- date: {Date:yyyy-MM-dd HH:mm} UTC"),
        $"- command: `{command}`",
    ];
}
