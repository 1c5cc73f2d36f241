using System.Diagnostics;
using System.Net;
using System.Runtime.InteropServices;

namespace Larder.Wire.Sockets;

/// <summary>
/// The threads that run a server's TLS handshakes. There are half as many threads as processors, and they have low priority.
/// <para>
/// Design. A handshake takes about 400 µs without interruption. This is as long as a thousand calls take. When handshakes ran on the thread pool, a thousand
/// handshakes a second delayed the threads that process calls by milliseconds. A thread with low priority yields as soon as another thread wakes. If calls need
/// all processors, the handshake threads get only a tenth of the time that threads with normal priority get. So new connections wait, but existing connections
/// do not.
/// </para>
/// <para>
/// Clients get equal shares of the threads' time (<see cref="HandshakeQueue"/>). So a client with many or expensive handshakes delays only its own handshakes.
/// </para>
/// </summary>
internal sealed partial class HandshakeThreads
{
    // The nice value of the threads. If a thread with this value and a normal thread both need a processor, this thread gets a tenth of the share of the normal
    // thread.
    private const int Niceness = 10;

    // The "which" argument of setpriority, PRIO_PROCESS. On Linux, the "who" argument is then a thread id, and 0 means the calling thread.
    private const int OfProcess = 0;

    private readonly object _gate = new();

    // The queue contains each connection at most once. It is guarded by _gate.
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
            // If this system call fails, the threads keep normal priority.
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
