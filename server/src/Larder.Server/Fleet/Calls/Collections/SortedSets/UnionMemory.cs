namespace Larder.Server.Fleet;

/// <summary>
/// The memory budget that all unions computed in this process share: 256 MB. A call that would exceed the budget is rejected and may be retried.
/// </summary>
internal static class UnionMemory
{
    private const long MaxBytes = 256L * 1024 * 1024;

    private static long s_taken;

    /// <summary>Reserves memory. Returns false if the budget is exhausted.</summary>
    public static bool TryTake(long bytes)
    {
        if (Interlocked.Add(ref s_taken, bytes) <= MaxBytes)
        {
            return true;
        }

        GiveBack(bytes);
        return false;
    }

    public static void GiveBack(long bytes) => Interlocked.Add(ref s_taken, -bytes);
}
