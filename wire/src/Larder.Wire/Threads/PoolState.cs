using System.Diagnostics;

namespace Larder.Wire.Threads;

/// <summary>
/// Whether the thread pool was found to be late: none of its threads was free for the library's work, as when an application blocks all of them.
/// </summary>
internal static class PoolState
{
    /// <summary>1 s: while it lasts work takes dedicated threads at once; then the pool is tried again, which costs one item up to 20 ms.</summary>
    public static readonly TimeSpan Memory = TimeSpan.FromSeconds(1);

    private static long s_lateUntil;

    /// <summary>True for <see cref="Memory"/> after the pool was late.</summary>
    public static bool IsLate
    {
        get
        {
            long until = Volatile.Read(ref s_lateUntil);
            return until != 0 && IsBefore(until);
        }
    }

    /// <summary>The pool did not take work in time.</summary>
    public static void NoteLate() => Volatile.Write(ref s_lateUntil, Stopwatch.GetTimestamp() + (long)(Memory.TotalSeconds * Stopwatch.Frequency));

    /// <summary>Runs work that may be run at any time and by anyone: on the pool, or on dedicated threads while the pool is late.</summary>
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
