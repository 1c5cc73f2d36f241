using System.Diagnostics;
using System.Net;
using System.Runtime.InteropServices;

namespace Larder.Wire.Sockets;

/// <summary>
/// The threads of a server's TLS handshakes: half as many as there are processors, and last in line for them.
/// <para>
/// Design. A handshake costs some 400 µs in one piece, as much as a thousand calls. On the thread pool, a thousand a second kept the threads that serve calls
/// from their processors for milliseconds; a thread that is nice gives way as soon as another wakes. Where calls take all processors, handshakes get a tenth of
/// what they would: who connects waits, who is connected does not.
/// </para>
/// <para>
/// Clients get equal shares of the threads' time (<see cref="HandshakeQueue"/>): one whose handshakes are expensive or many delays its own.
/// </para>
/// </summary>
internal sealed partial class HandshakeThreads
{
    // A tenth of the share of a thread that is not nice, when both want a processor.
    private const int Niceness = 10;

    // Of setpriority: who is a thread's number here, 0 for the caller's.
    private const int OfProcess = 0;

    private readonly object _gate = new();

    // Each connection is in it once at most. Under the gate.
    private readonly HandshakeQueue _work;

    private HandshakeThreads(int count)
    {
        _work = new HandshakeQueue(HandshakeQueue.MaxRunningOf(count));
        for (int index = 0; index < count; index++)
        {
            new Thread(Run) { IsBackground = true, Name = "larder handshakes" }.UnsafeStart();
        }
    }

    /// <summary>Those of the process.</summary>
    public static HandshakeThreads Shared { get; } = new(Math.Max(1, Environment.ProcessorCount / 2));

    /// <summary>Runs work of a client's network on one of them, after <see cref="HandshakeQueue.Add"/>'s order. It may not throw.</summary>
    public void Add(IThreadPoolWorkItem work, IPAddress network, int bytes)
    {
        lock (_gate)
        {
            _work.Add(work, network, bytes);
            Monitor.Pulse(_gate);
        }
    }

    private void Run()
    {
        if (OperatingSystem.IsLinux())
        {
            // Where it is refused they are like any other.
            _ = SetPriority(OfProcess, 0, Niceness);
        }

        while (true)
        {
            HandshakeQueue.Turn turn;
            lock (_gate)
            {
                while (!_work.TryTake(out turn))
                {
                    Monitor.Wait(_gate);
                }
            }

            long began = Stopwatch.GetTimestamp();
            turn.Work.Execute();
            lock (_gate)
            {
                _work.Done(turn, Stopwatch.GetTimestamp() - began);
                Monitor.Pulse(_gate);
            }
        }
    }

    [LibraryImport("libc", EntryPoint = "setpriority")]
    private static partial int SetPriority(int which, uint who, int priority);
}
