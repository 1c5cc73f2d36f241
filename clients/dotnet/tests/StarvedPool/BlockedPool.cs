namespace Larder.Client.Tests.Starved;

/// <summary>Every thread that the pool may have, blocked for the rest of the process: nothing that needs one of them ever happens.</summary>
internal static class BlockedPool
{
    private static readonly ManualResetEventSlim s_never = new();

    /// <summary>Blocks them. Returns once all are blocked.</summary>
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
