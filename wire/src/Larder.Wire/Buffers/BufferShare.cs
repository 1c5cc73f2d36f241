namespace Larder.Wire;

/// <summary>
/// What all connections of one user hold of a <see cref="BufferBudget"/> together. It may grow while it is at most <see cref="MostPerFree"/> times what is
/// still free, so some is always free for others: of n users who want all, each gets 3 / (3n + 1), and 1 / (3n + 1) stays free. Safe from any thread.
/// </summary>
internal sealed class BufferShare
{
    /// <summary>A single user gets three quarters: more than one connection may have, and a quarter is free for the next user.</summary>
    public const int MostPerFree = 3;

    private long _takenBytes;

    /// <summary>Bytes that its connections have taken from the budget.</summary>
    public long TakenBytes => Volatile.Read(ref _takenBytes);

    /// <summary>Takes bytes from the budget; false, and nothing taken, if they are more than the share or the budget has left.</summary>
    public bool TryTake(BufferBudget budget, long bytes)
    {
        long taken = Interlocked.Add(ref _takenBytes, bytes);
        if (taken <= MostPerFree * (budget.LimitBytes - budget.UsedBytes - bytes) && budget.TryTake(bytes))
        {
            return true;
        }

        Add(-bytes);
        return false;
    }

    /// <summary>Adds bytes that a connection has taken before it belonged to this share; or, if negative, removes what it gave back.</summary>
    public void Add(long bytes) => Interlocked.Add(ref _takenBytes, bytes);
}
