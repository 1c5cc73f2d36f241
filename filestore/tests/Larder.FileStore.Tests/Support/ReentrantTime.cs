namespace Larder.FileStore.Tests.Support;

/// <summary>The system clock. The first caller that requests the wall time triggers <paramref name="call"/>, which completes before the answer.</summary>
internal sealed class ReentrantTime(Action call) : TimeProvider
{
    private int _depth;

    internal int Called { get; private set; }

    public override DateTimeOffset GetUtcNow()
    {
        if (Interlocked.Exchange(ref _depth, 1) == 0)
        {
            Called++;
            // On another thread, like another writer.
            Task.Run(call).GetAwaiter().GetResult();
        }
        return System.GetUtcNow();
    }
}
