using System.Collections.Concurrent;
using System.Runtime.InteropServices;

namespace Larder.Wire.Sockets;

/// <summary>
/// The threads of a server's TLS handshakes: half as many as there are processors, and last in line for them.
/// <para>
/// Design. A handshake costs some 400 µs in one piece, as much as a thousand calls. On the thread pool, a thousand a second kept the threads that serve calls
/// from their processors for milliseconds; a thread that is nice gives way as soon as another wakes. Where calls take all processors, handshakes get a tenth of
/// what they would: who connects waits, who is connected does not.
/// </para>
/// </summary>
internal sealed partial class HandshakeThreads
{
    // A tenth of the share of a thread that is not nice, when both want a processor.
    private const int Niceness = 10;

    // Of setpriority: who is a thread's number here, 0 for the caller's.
    private const int OfProcess = 0;

    // Each connection is in it once at most.
    private readonly BlockingCollection<IThreadPoolWorkItem> _work = [];

    private HandshakeThreads(int count)
    {
        for (int index = 0; index < count; index++)
        {
            new Thread(Run) { IsBackground = true, Name = "larder handshakes" }.UnsafeStart();
        }
    }

    /// <summary>Those of the process.</summary>
    public static HandshakeThreads Shared { get; } = new(Math.Max(1, Environment.ProcessorCount / 2));

    /// <summary>Runs work on one of them. It may not throw.</summary>
    public void Add(IThreadPoolWorkItem work) => _work.Add(work);

    private void Run()
    {
        if (OperatingSystem.IsLinux())
        {
            // Where it is refused they are like any other.
            _ = SetPriority(OfProcess, 0, Niceness);
        }

        foreach (IThreadPoolWorkItem work in _work.GetConsumingEnumerable())
        {
            work.Execute();
        }
    }

    [LibraryImport("libc", EntryPoint = "setpriority")]
    private static partial int SetPriority(int which, uint who, int priority);
}
