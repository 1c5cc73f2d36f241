using System.Runtime.InteropServices;
using Larder.Harness;
using Larder.Harness.Processes;
using Larder.Report.Runs;

namespace Larder.Tuner.Machine;

/// <summary>The machine that measures, as runs name it.</summary>
internal static class ThisMachine
{
    /// <summary>This machine and this tree, now.</summary>
    public static Fingerprint Fingerprint() => new(
        CpuModel(),
        Environment.ProcessorCount,
        GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
        RuntimeInformation.OSDescription,
        RuntimeInformation.FrameworkDescription,
        CommitOf(AppContext.BaseDirectory),
        DateTimeOffset.UtcNow);

    private static string CpuModel() =>
        File.Exists("/proc/cpuinfo")
            ? File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?.Split(':', 2)[1].Trim()
                ?? "unknown"
            : RuntimeInformation.ProcessArchitecture.ToString();

    /// <summary>The commit of the tree that a folder is in.</summary>
    public static string CommitOf(string folder)
    {
        try
        {
            ProgramCommand git = new("git", "git", "describe", "--always", "--dirty", "--abbrev=12") { Folder = folder };
            string text = ProgramRun.Of(git).Output.Trim();
            return text.Length > 0 ? text : "unknown (no git tree)";
        }
        catch (HarnessException)
        {
            return "unknown (no git)";
        }
    }
}
