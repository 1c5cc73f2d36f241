using System.Collections.Concurrent;

namespace Larder.Wire;

/// <summary>
/// Where long work is done, off the threads that read: on at most half of the processors, so that the other half is there for small calls, and of each
/// connection one piece in turn, so that no connection's many keep another's one waiting.
/// </summary>
internal static class LongCalls
{
    private static readonly ConcurrentQueue<ILongWork> s_queue = new();
    private static int s_workers;

    /// <summary>Threads at once.</summary>
    public static int MostWorkers { get; } = Math.Max(1, Environment.ProcessorCount / 2);

    /// <summary>Adds one who has work; it is asked for one piece at a time.</summary>
    public static void Add(ILongWork work)
    {
        s_queue.Enqueue(work);
        StartWorker();
    }

    private static void StartWorker()
    {
        if (Interlocked.Increment(ref s_workers) <= MostWorkers)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static _ => Work(), null);
        }
        else
        {
            Interlocked.Decrement(ref s_workers);
        }
    }

    private static void Work()
    {
        while (s_queue.TryDequeue(out ILongWork? work))
        {
            if (work.RunOne())
            {
                s_queue.Enqueue(work);
            }
        }

        Interlocked.Decrement(ref s_workers);
        if (!s_queue.IsEmpty)
        {
            // Added after the last look and refused a worker, this one not having left.
            StartWorker();
        }
    }
}
