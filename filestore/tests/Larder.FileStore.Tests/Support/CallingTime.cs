namespace Larder.FileStore.Tests.Support;

/// <summary>The system's clock; who first asks it for the time of day has <paramref name="call"/> run before the answer.</summary>
internal sealed class CallingTime(Action call) : TimeProvider
{
    private int _depth;

    internal int Called { get; private set; }

    public override DateTimeOffset GetUtcNow()
    {
        if (Interlocked.Exchange(ref _depth, 1) == 0)
        {
            Called++;
            // From another thread, as another writer would.
            Task.Run(call).GetAwaiter().GetResult();
        }
        return System.GetUtcNow();
    }
}
