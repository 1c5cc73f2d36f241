namespace Larder.Wire;

/// <summary>
/// How many bytes one process may hold beside its cache: answers that wait to be sent, uploads that arrive, batches under way, idle buffers.
/// A count and nothing more: whoever holds memory takes its bytes here first, and gives them back when it lets go. Safe from any thread.
/// </summary>
/// <param name="limitBytes">The bound in bytes, 1 or more. At it a call is refused with RESOURCE_EXHAUSTED; nobody waits.</param>
/// <param name="whole">The budget that this one is a part of: bytes are taken from both, so that the part bounds its users and the whole bounds all. Default:
/// none.</param>
public sealed class BufferBudget(long limitBytes, BufferBudget? whole = null)
{
    private readonly long _limitBytes =
        limitBytes > 0 ? limitBytes : throw new ArgumentOutOfRangeException(nameof(limitBytes), limitBytes, "A budget is 1 byte or more.");
    private long _usedBytes;
    private long _refusals;

    /// <summary>The bound in bytes.</summary>
    public long LimitBytes => _limitBytes;

    /// <summary>Bytes taken now: 0 to <see cref="LimitBytes"/>.</summary>
    public long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>How often somebody was refused, since the start.</summary>
    public long Refusals => Volatile.Read(ref _refusals);

    /// <summary>
    /// True from half of the budget up: whoever is slow with what it holds is then given up sooner. Half: what takes the other half has at least the
    /// time that the slow are given to go.
    /// </summary>
    public bool IsTight => UsedBytes > _limitBytes / 2;

    /// <summary>Takes bytes; false, and nothing taken, if they are more than are left, or fewer than <paramref name="keepFree"/> would be left.</summary>
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

    /// <summary>Gives taken bytes back.</summary>
    public void Give(long bytes)
    {
        GiveToWhole(bytes);
        whole?.Give(bytes);
    }

    /// <summary>Moves taken bytes from this part to the whole: they stay taken there.</summary>
    internal void GiveToWhole(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        Interlocked.Add(ref _usedBytes, -bytes);
    }

    /// <summary>Counts that somebody was refused.</summary>
    public void CountRefusal() => Interlocked.Increment(ref _refusals);
}
