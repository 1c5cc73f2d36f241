using System.Runtime.InteropServices;
using Larder.Harness;
using Larder.Harness.Processes;
using Larder.Report.Runs;

namespace Larder.Tuner.Machine;

/// <summary>Describes the measuring machine, as stored in runs.</summary>
internal static class ThisMachine
{
    /// <summary>Returns the description of this machine with the current commit.</summary>
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

    /// <summary>Returns the commit of the repository that contains a folder.</summary>
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
