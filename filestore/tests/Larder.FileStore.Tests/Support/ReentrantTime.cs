namespace Larder.FileStore.Tests.Support;

/// <summary>The system clock. The first read of the wall time runs <paramref name="call"/> and waits for its completion.</summary>
internal sealed class ReentrantTime(Action call) : TimeProvider
{
    private int _depth;

    internal int Called { get; private set; }

    public override DateTimeOffset GetUtcNow()
    {
        if (Interlocked.Exchange(ref _depth, 1) == 0)
        {
            Called++;
            // Run the call on another thread, as another writer would.
            Task.Run(call).GetAwaiter().GetResult();
        }
        return System.GetUtcNow();
    }
}
