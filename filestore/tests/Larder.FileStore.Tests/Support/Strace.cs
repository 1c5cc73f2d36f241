using Larder.Harness.Processes;

namespace Larder.FileStore.Tests.Support;

/// <summary>strace attached to a running process, optionally injecting a fault.</summary>
internal sealed class Strace : IDisposable
{
    private readonly ChildProcess _process;

    private Strace(ChildProcess process) => _process = process;

    /// <summary>
    /// Attaches strace to all threads and injects a fault, such as <c>fsync:error=EIO:when=1</c>. Occurrences are counted from this time on, per thread and
    /// call name.
    /// </summary>
    internal static Strace Attach(Peer peer, string injection) => Attach(peer, injection, "-f");

    /// <summary>
    /// Attaches strace only to the thread that executes commands, and injects a fault. Records the calls of this thread in <paramref name="log"/>. Occurrences
    /// are counted per call name.
    /// </summary>
    internal static Strace Attach(Peer peer, string injection, string log) => Attach(peer, injection, "-o", log);

    /// <summary>Records the calls of the thread that executes commands, without injecting a fault.</summary>
    internal static Strace Watch(Peer peer, string log) => Start(peer, "-o", log);

    private static Strace Attach(Peer peer, string injection, params string[] options) =>
        Start(peer, [.. options, "-e", "trace=" + injection.Split(':')[0], "-e", "inject=" + injection]);

    private static Strace Start(Peer peer, params string[] options)
    {
        var process = ChildProcess.Start(new ProgramCommand("strace", "strace", [.. options, "-p", $"{peer.Id}", "-e", "signal=none"]));
        process.UntilLoggedAsync("attached").GetAwaiter().GetResult();
        return new Strace(process);
    }

    public void Dispose()
    {
        // SIGINT makes strace detach, so that the traced process continues.
        _process.Signal(Signals.Interrupt);
        // strace can wait forever for the threads of a process that it killed. When strace itself is killed, the kernel releases these threads.
        SpinWait.SpinUntil(() => _process.HasExited, TimeSpan.FromSeconds(3));
        _process.Dispose();
    }
}
