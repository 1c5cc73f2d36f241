using System.ComponentModel;
using System.Diagnostics;

namespace Larder.FileStore.Tests.Support;

/// <summary>A test that injects faults by strace: skipped, with the reason, where strace is missing or may not trace.</summary>
internal sealed class StraceFactAttribute : FactAttribute
{
    private static readonly string? Obstacle = Find();

    public StraceFactAttribute() => Skip = Obstacle;

    /// <summary>Set for the parts of a test that belong to the long run.</summary>
    public bool Long
    {
        get => false;
        set => Skip = value && !LongFactAttribute.IsLong ? "Long: runs with LARDER_LONG=1 (./larder test --long)." : Obstacle;
    }

    private static string? Find()
    {
        try
        {
            using Process strace = Process.Start(new ProcessStartInfo("strace", ["-qq", "-e", "inject=write:error=EIO:when=100", "true"]) { RedirectStandardError = true })!;
            strace.StandardError.ReadToEnd();
            strace.WaitForExit();
            return strace.ExitCode == 0 ? null : "Cannot inject: strace may not trace processes here.";
        }
        catch (Win32Exception)
        {
            return "Cannot inject: strace is not installed.";
        }
    }
}
