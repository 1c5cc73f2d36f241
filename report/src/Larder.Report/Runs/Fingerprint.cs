using System.Globalization;

namespace Larder.Report.Runs;

/// <summary>The environment of a measurement: machine, commit and date.</summary>
internal sealed record Fingerprint(string Cpu, int Processors, long MemoryBytes, string System, string Runtime, string Commit, DateTimeOffset Date)
{
    /// <summary>Returns the environment and <paramref name="command"/> as Markdown list items.</summary>
    public IEnumerable<string> Lines(string command) =>
    [
        $"- machine: {Cpu}, {Processors} processors, {MemoryBytes / (1L << 30)} GiB, {System}, {Runtime}",
        $"- commit: {Commit}",
        string.Create(CultureInfo.InvariantCulture, $"- date: {Date:yyyy-MM-dd HH:mm} UTC"),
        $"- command: `{command}`",
    ];
}
