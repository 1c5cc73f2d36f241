using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Larder.Tuner.Machine;

/// <summary>What a figure was measured on: machine, commit, date, command.</summary>
internal sealed record Fingerprint(string Cpu, int Processors, long MemoryBytes, string System, string Runtime, string Commit, DateTimeOffset Date)
{
    /// <summary>Of this machine and this tree, now.</summary>
    public static Fingerprint Take() => new(
        CpuModel(),
        Environment.ProcessorCount,
        GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
        RuntimeInformation.OSDescription,
        RuntimeInformation.FrameworkDescription,
        GitCommit(),
        DateTimeOffset.UtcNow);

    /// <summary>One line each, as Markdown.</summary>
    public IEnumerable<string> Lines(string command) =>
    [
        $"- machine: {Cpu}, {Processors} processors, {MemoryBytes / (1L << 30)} GiB, {System}, {Runtime}",
        $"- commit: {Commit}",
        string.Create(CultureInfo.InvariantCulture, $"- date: {Date:yyyy-MM-dd HH:mm} UTC"),
        $"- command: `{command}`",
    ];

    private static string CpuModel() =>
        File.Exists("/proc/cpuinfo")
            ? File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?.Split(':', 2)[1].Trim()
                ?? "unknown"
            : RuntimeInformation.ProcessArchitecture.ToString();

    private static string GitCommit()
    {
        try
        {
            using var git = Process.Start(new ProcessStartInfo("git", "describe --always --dirty --abbrev=12")
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                WorkingDirectory = AppContext.BaseDirectory,
            });
            string text = git!.StandardOutput.ReadToEnd().Trim();
            return text.Length > 0 ? text : "unknown (no git tree)";
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return "unknown (no git)";
        }
    }
}
