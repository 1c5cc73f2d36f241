namespace Larder.Wire;

/// <summary>
/// What all connections of one user hold of a <see cref="BufferBudget"/> together. It may grow while it is at most <see cref="MostPerFree"/> times what is
/// still free, so a user leaves a quarter of what he found free. Of n users who fill it one after another, a part of 1 / 4^n stays free; of n who fill it at
/// the same time, each gets 3 / (3n + 1). Safe from any thread.
/// </summary>
internal sealed class BufferShare
{
    /// <summary>A single user gets three quarters, more than the half of a single connection.</summary>
    public const int MostPerFree = 3;

    private long _takenBytes;

    /// <summary>Bytes that its connections have taken from the budget.</summary>
    public long TakenBytes => Volatile.Read(ref _takenBytes);

    /// <summary>Takes bytes from the budget; false, and nothing taken, if they are more than the share or the budget has left.</summary>
    public bool TryTake(BufferBudget budget, long bytes)
    {
        long taken = Interlocked.Add(ref _takenBytes, bytes);
        if (budget.TryTake(bytes, keepFree: (taken + MostPerFree - 1) / MostPerFree))
        {
            return true;
        }

        Add(-bytes);
        return false;
    }

    /// <summary>Adds bytes that a connection has taken before it belonged to this share; or, if negative, removes what it gave back.</summary>
    public void Add(long bytes) => Interlocked.Add(ref _takenBytes, bytes);
}
