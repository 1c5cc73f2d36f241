using Larder.Harness.Processes;

namespace Larder.FileStore.Tests.Support;

/// <summary>strace attached to a running process, injecting a fault from then on.</summary>
internal sealed class Strace : IDisposable
{
    private readonly ChildProcess _process;

    private Strace(ChildProcess process) => _process = process;

    /// <summary>
    /// Attaches to all threads with an injection, such as <c>fsync:error=EIO:when=1</c>; counts begin now, for each thread and name of a call.
    /// </summary>
    internal static Strace Attach(Peer peer, string injection) => Attach(peer, injection, "-f");

    /// <summary>Attaches to the thread alone that carries out commands, and keeps what it calls in <paramref name="log"/>. Calls are counted by name.</summary>
    internal static Strace Attach(Peer peer, string injection, string log) => Attach(peer, injection, "-o", log);

    /// <summary>Only keeps what the thread that carries out commands calls.</summary>
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
        // An interrupt lets it detach, so that the traced process goes on.
        _process.Signal(Signals.Interrupt);
        // strace can wait for ever for the threads of a process that it killed; killed itself, it lets go of all.
        SpinWait.SpinUntil(() => _process.HasExited, TimeSpan.FromSeconds(3));
        _process.Dispose();
    }
}
