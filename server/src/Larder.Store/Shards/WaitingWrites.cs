namespace Larder.Store;

/// <summary>
/// Tracks the writes that wait for a lock, and lets them run between the steps of longer work. This is needed because a thread that releases a lock and
/// immediately takes it again prevents a waiting thread from taking it. The waiting thread needs a few microseconds to wake up, or a few hundred if its
/// processor was asleep.
/// </summary>
internal sealed class WaitingWrites(Lock awaited)
{
    // The number of polls, which are a few microseconds apart. All polls take about 0.2 ms, which is several times the time that a thread needs to wake up.
    private const int Turns = 50;
    private const int SpinsPerTurn = 100;

    private int _count;

    /// <summary>The number of writes that are waiting for the lock.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Takes the lock for a write.</summary>
    public void Enter()
    {
        if (!awaited.TryEnter())
        {
            Interlocked.Increment(ref _count);
            awaited.Enter();
            Interlocked.Decrement(ref _count);
        }
    }

    /// <summary>Waits for a limited time, without holding the lock, until no write waits for the lock.</summary>
    /// <param name="sleeps">The maximum number of 1 ms sleeps after polling.</param>
    /// <returns>The number of sleeps that are left.</returns>
    public int YieldToWrites(int sleeps)
    {
        for (int turn = 0; turn < Turns && Count > 0; turn++)
        {
            Thread.Yield();
            Thread.SpinWait(SpinsPerTurn);
        }

        for (; sleeps > 0 && Count > 0; sleeps--)
        {
            Thread.Sleep(1);
        }

        return sleeps;
    }
}
