using System.Diagnostics;
using System.Runtime.InteropServices;
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
            using var git = Process.Start(new ProcessStartInfo("git", "describe --always --dirty --abbrev=12")
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                WorkingDirectory = folder,
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
