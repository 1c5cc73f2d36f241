namespace Larder.Server.Fleet;

/// <summary>What unions that are computed in this process may take, all together: 256 MB; past it a call is refused, and may come again.</summary>
internal static class UnionMemory
{
    private const long MostBytes = 256L * 1024 * 1024;

    private static long s_taken;

    /// <summary>Takes so much; false where there is no more.</summary>
    public static bool TryTake(long bytes)
    {
        if (Interlocked.Add(ref s_taken, bytes) <= MostBytes)
        {
            return true;
        }

        GiveBack(bytes);
        return false;
    }

    public static void GiveBack(long bytes) => Interlocked.Add(ref s_taken, -bytes);
}
