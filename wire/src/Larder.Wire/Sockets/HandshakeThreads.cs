using System.Diagnostics;
using System.Net;
using System.Runtime.InteropServices;

namespace Larder.Wire.Sockets;

/// <summary>
/// The threads that run a server's TLS handshakes: half as many as there are processors, with low priority.
/// <para>
/// Design. A handshake takes about 400 µs without interruption, as long as a thousand calls. When handshakes ran on the thread pool, a thousand a
/// second kept the threads that serve calls off the processors for milliseconds. A thread with low priority yields as soon as another thread wakes.
/// If calls need all processors, handshakes get a tenth of their normal share: new connections wait, and existing ones do not.
/// </para>
/// <para>
/// Clients get equal shares of the threads' time (<see cref="HandshakeQueue"/>): a client with expensive or many handshakes delays only itself.
/// </para>
/// </summary>
internal sealed partial class HandshakeThreads
{
    // The nice value. When both want a processor, such a thread gets a tenth of the share of a normal thread.
    private const int Niceness = 10;

    // The "which" argument of setpriority (PRIO_PROCESS): on Linux the "who" argument is then a thread id, and 0 is the calling thread.
    private const int OfProcess = 0;

    private readonly object _gate = new();

    // Contains each connection at most once. Guarded by the gate.
    private readonly HandshakeQueue _work;

    private HandshakeThreads(int count)
    {
        _work = new HandshakeQueue(HandshakeQueue.MaxRunningOf(count));
        for (int index = 0; index < count; index++)
        {
            new Thread(Run) { IsBackground = true, Name = "larder handshakes" }.UnsafeStart();
        }
    }

    /// <summary>Gets the instance for the whole process.</summary>
    public static HandshakeThreads Shared { get; } = new(Math.Max(1, Environment.ProcessorCount / 2));

    /// <summary>
    /// Runs a work item of a client network on one of the threads, in the order of <see cref="HandshakeQueue.Add"/>. The work item must not throw.
    /// </summary>
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
            // If the call fails, the threads keep normal priority.
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
