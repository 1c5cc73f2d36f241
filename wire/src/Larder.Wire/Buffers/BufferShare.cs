namespace Larder.Wire;

/// <summary>
/// Counts the memory of a <see cref="BufferBudget"/> that all connections of one user take together. The share may grow while it is at most
/// <see cref="MaxShareOfFree"/> times the free memory. So a user always leaves a quarter of the memory that was free. If n users fill the budget one after
/// another, 1 / 4^n of the budget stays free. If they fill the budget concurrently, each user gets 3 / (3n + 1) of the budget. Thread-safe.
/// </summary>
internal sealed class BufferShare
{
    /// <summary>
    /// The maximum ratio of a share to the free memory. A single user can take up to three quarters of the budget. A single connection can take at most
    /// half of the budget (<see cref="BufferAccount.MaxBytes"/>).
    /// </summary>
    public const int MaxShareOfFree = 3;

    private long _takenBytes;

    /// <summary>Gets the number of bytes that the user's connections have taken from the budget.</summary>
    public long TakenBytes => Volatile.Read(ref _takenBytes);

    /// <summary>Takes bytes from the budget. Returns false and takes nothing if the limit of the share or of the budget would be exceeded.</summary>
    public bool TryTake(BufferBudget budget, long bytes)
    {
        long taken = Interlocked.Add(ref _takenBytes, bytes);
        if (budget.TryTake(bytes, keepFree: (taken + MaxShareOfFree - 1) / MaxShareOfFree))
        {
            return true;
        }

        Add(-bytes);
        return false;
    }

    /// <summary>Adds bytes that a connection took before it joined this share. A negative number removes bytes that the connection has returned.</summary>
    public void Add(long bytes) => Interlocked.Add(ref _takenBytes, bytes);
}
