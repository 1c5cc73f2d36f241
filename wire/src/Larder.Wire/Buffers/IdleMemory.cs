namespace Larder.Wire;

/// <summary>
/// Gives the memory of large buffers that nobody needs any more to the system: the collector would, in minutes. A collection that does so stops the process for some
/// milliseconds, so it is asked for only when megabytes are to be had, and not often.
/// </summary>
internal static class IdleMemory
{
    // A collection of the few megabytes of objects that a server has takes about 10 ms: at most one in 300.
    private const long PauseMs = 3_000;

    // Less is not worth a collection.
    private const long MuchBytes = 8 * 1024 * 1024;

    private static long s_droppedBytes;
    private static long s_lastMs = -PauseMs;
    private static int s_isCollecting;

    /// <summary>Notes that so many bytes were left to the collector.</summary>
    public static void Dropped(long bytes) => Interlocked.Add(ref s_droppedBytes, Math.Max(0, bytes));

    /// <summary>Looks whether there is something to give back. Called by a clock, twice a second or so.</summary>
    public static void GiveBack()
    {
        long now = Environment.TickCount64;
        LargeArrays.Trim();
        if (Volatile.Read(ref s_droppedBytes) >= MuchBytes && now - Volatile.Read(ref s_lastMs) >= PauseMs && Interlocked.Exchange(ref s_isCollecting, 1) == 0)
        {
            Volatile.Write(ref s_lastMs, now);
            Volatile.Write(ref s_droppedBytes, 0);
            ThreadPool.UnsafeQueueUserWorkItem(
                static _ =>
                {
                    GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
                    Volatile.Write(ref s_isCollecting, 0);
                },
                null);
        }
    }
}
