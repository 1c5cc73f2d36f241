namespace Larder.Wire;

/// <summary>
/// Limits the memory that one process uses in addition to its cache: queued responses, incoming uploads, running batches and idle buffers. The budget allocates
/// nothing itself. Code that allocates memory first takes the bytes from the budget, and returns them afterwards. Thread-safe.
/// </summary>
/// <param name="limitBytes">The limit in bytes, at least 1. When the limit is reached, calls fail with RESOURCE_EXHAUSTED. They do not wait.</param>
/// <param name="whole">
/// The larger budget of which this budget is a part. Bytes are taken from both budgets: this budget limits its own users, and the larger one limits all users.
/// Null if there is no larger budget, which is the default.
/// </param>
public sealed class BufferBudget(long limitBytes, BufferBudget? whole = null)
{
    private readonly long _limitBytes =
        limitBytes > 0 ? limitBytes : throw new ArgumentOutOfRangeException(nameof(limitBytes), limitBytes, "limitBytes must be at least 1.");
    private long _usedBytes;
    private long _refusals;

    /// <summary>Gets the limit in bytes.</summary>
    public long LimitBytes => _limitBytes;

    /// <summary>Gets the number of bytes currently taken, from 0 to <see cref="LimitBytes"/>.</summary>
    public long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>Gets the number of requests for bytes that were refused since the budget was created.</summary>
    public long Refusals => Volatile.Read(ref _refusals);

    /// <summary>
    /// Gets whether more than half of the budget is taken. If so, slow peers are dropped sooner. The other half of the budget is large enough to last until the
    /// time limits of the slow peers have passed.
    /// </summary>
    public bool IsTight => UsedBytes > _limitBytes / 2;

    /// <summary>
    /// Takes bytes. Returns false and takes nothing if not enough bytes are free, or if fewer than <paramref name="keepFree"/> bytes would stay free.
    /// </summary>
    public bool TryTake(long bytes, long keepFree = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        long used = Volatile.Read(ref _usedBytes);
        while (bytes <= _limitBytes - keepFree - used)
        {
            long before = Interlocked.CompareExchange(ref _usedBytes, used + bytes, used);
            if (before != used)
            {
                used = before;
                continue;
            }

            if (whole?.TryTake(bytes) ?? true)
            {
                return true;
            }

            Interlocked.Add(ref _usedBytes, -bytes);
            return false;
        }

        return false;
    }

    /// <summary>Gives taken bytes back to this budget, and to the larger budget if there is one.</summary>
    public void Give(long bytes)
    {
        ReturnToBudget(bytes);
        whole?.Give(bytes);
    }

    /// <summary>Releases taken bytes in this budget only. The bytes remain taken in the larger budget of which this budget is a part.</summary>
    internal void ReturnToBudget(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        Interlocked.Add(ref _usedBytes, -bytes);
    }

    /// <summary>Counts one refused request for bytes.</summary>
    public void CountRefusal() => Interlocked.Increment(ref _refusals);
}
