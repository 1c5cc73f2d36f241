using System.Diagnostics;

namespace Larder.Wire.Threads;

/// <summary>
/// Records whether the thread pool is late, which means that no pool thread was free for the library's work. For example, an application may block all pool
/// threads.
/// </summary>
internal static class PoolState
{
    /// <summary>
    /// The time for which the pool counts as late, 1 s. During that time, work is queued to dedicated threads immediately. Afterwards, work is queued to the
    /// pool again. If the pool is still late, one work item is delayed by up to 20 ms.
    /// </summary>
    public static readonly TimeSpan Memory = TimeSpan.FromSeconds(1);

    private static long s_lateUntil;

    /// <summary>Gets whether the pool was late within the last <see cref="Memory"/>.</summary>
    public static bool IsLate
    {
        get
        {
            long until = Volatile.Read(ref s_lateUntil);
            return until != 0 && IsBefore(until);
        }
    }

    /// <summary>Records that the pool did not start work in time.</summary>
    public static void NoteLate() => Volatile.Write(ref s_lateUntil, Stopwatch.GetTimestamp() + (long)(Memory.TotalSeconds * Stopwatch.Frequency));

    /// <summary>
    /// Queues a work item that any thread may run at any time. The item is queued to the pool, or to dedicated threads while the pool is late.
    /// </summary>
    public static void Queue(IThreadPoolWorkItem work, DedicatedThreads threads)
    {
        if (IsLate)
        {
            threads.Queue(work);
        }
        else
        {
            ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: false);
        }
    }

    private static bool IsBefore(long until)
    {
        if (Stopwatch.GetTimestamp() < until)
        {
            return true;
        }

        Interlocked.CompareExchange(ref s_lateUntil, 0, until);
        return false;
    }
}
