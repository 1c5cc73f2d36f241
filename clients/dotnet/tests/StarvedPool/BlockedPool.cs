namespace Larder.Client.Tests.Starved;

/// <summary>Blocks every thread of the thread pool until the process exits, so code that needs a pool thread never runs.</summary>
internal static class BlockedPool
{
    private static readonly ManualResetEventSlim s_never = new();

    /// <summary>Blocks the threads of the pool. Returns when all threads are blocked.</summary>
    public static void Begin()
    {
        int threads = Environment.ProcessorCount;
        ThreadPool.SetMinThreads(threads, threads);
        if (!ThreadPool.SetMaxThreads(threads, threads))
        {
            throw new InvalidOperationException($"The pool cannot be limited to {threads} threads.");
        }

        using CountdownEvent blocked = new(threads);
        for (int thread = 0; thread < threads; thread++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                static blocked =>
                {
                    blocked.Signal();
                    s_never.Wait();
                },
                blocked,
                preferLocal: false);
        }

        blocked.Wait();
    }
}
