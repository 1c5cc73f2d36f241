namespace Larder.Store;

/// <summary>
/// The writes that wait for a lock, and how who works in steps lets them have it between two: who takes a lock again at once keeps a waiting thread out,
/// which needs some microseconds to wake, or some hundred where its processor slept.
/// </summary>
internal sealed class WaitingWrites(Lock awaited)
{
    // Looks, some microseconds apart: together about 0.2 ms, several times what one needs to wake.
    private const int Turns = 50;
    private const int SpinsPerTurn = 100;

    private int _count;

    /// <summary>Writes that wait for the lock now.</summary>
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

    /// <summary>Waits, without the lock, until no write waits for it, a bounded time.</summary>
    /// <param name="sleeps">How often it may sleep for 1 ms after its looks.</param>
    /// <returns>How many of these sleeps are left.</returns>
    public int LetIn(int sleeps)
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
