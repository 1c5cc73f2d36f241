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

    // While more is let go all the time the collector runs anyway: it is helped only when that is far behind.
    private const long TooMuchBytes = 64 * 1024 * 1024;

    private static long s_droppedBytes;
    private static long s_droppedBefore;
    private static long s_lastMs = -PauseMs;
    private static int s_isCollecting;

    /// <summary>Notes that so many bytes were left to the collector.</summary>
    public static void Dropped(long bytes) => Interlocked.Add(ref s_droppedBytes, Math.Max(0, bytes));

    /// <summary>Looks whether there is something to give back. Called by a clock, twice a second or so.</summary>
    public static void GiveBack()
    {
        long now = Environment.TickCount64;
        LargeArrays.Trim();
        long dropped = Volatile.Read(ref s_droppedBytes);
        bool isQuiet = dropped == Interlocked.Exchange(ref s_droppedBefore, dropped);
        if (dropped >= (isQuiet ? MuchBytes : TooMuchBytes) && now - Volatile.Read(ref s_lastMs) >= PauseMs && Interlocked.Exchange(ref s_isCollecting, 1) == 0)
        {
            Volatile.Write(ref s_lastMs, now);
            Interlocked.Add(ref s_droppedBytes, -dropped);
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
