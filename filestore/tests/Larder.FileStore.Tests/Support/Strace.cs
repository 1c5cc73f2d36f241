using System.Diagnostics;
using System.Globalization;

namespace Larder.FileStore.Tests.Support;

/// <summary>strace attached to a running process, injecting a fault from then on.</summary>
internal sealed class Strace : IDisposable
{
    private readonly Process _process;

    private Strace(Process process) => _process = process;

    /// <summary>Attaches with an injection, such as <c>fsync:error=EIO:when=1</c>; counts begin now, for each thread.</summary>
    internal static Strace Attach(Peer peer, string injection)
    {
        string system = injection.Split(':')[0];
        Process process = Process.Start(new ProcessStartInfo("strace",
            ["-f", "-p", peer.Id.ToString(CultureInfo.InvariantCulture), "-e", "trace=" + system, "-e", "inject=" + injection, "-e", "signal=none"])
        { RedirectStandardError = true })!;
        string? line = process.StandardError.ReadLine();
        Assert.Contains("attached", line);
        // Its log has to be taken off the pipe, or it would wait for room there.
        _ = process.StandardError.ReadToEndAsync();
        return new Strace(process);
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            // An interrupt lets it detach, so that the traced process goes on.
            using Process? interrupt = Process.Start("kill", ["-INT", _process.Id.ToString(CultureInfo.InvariantCulture)]);
            interrupt?.WaitForExit();
            // strace can wait for ever for the threads of a process that it killed; killed itself, it lets go of all.
            if (!_process.WaitForExit(TimeSpan.FromSeconds(3)))
            {
                _process.Kill();
                _process.WaitForExit();
            }
        }
        _process.Dispose();
    }
}
