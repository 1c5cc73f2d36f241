namespace Larder.Wire;

/// <summary>
/// Gives the memory of large buffers that nobody needs any more to the system: the collector would, in minutes. A collection that does so stops the process for
/// some milliseconds, so it is asked for only when megabytes are to be had, and not often; where many are let go all the time, one makes them free to be taken
/// again.
/// </summary>
internal static class IdleMemory
{
    // A collection of the few megabytes of objects that a server has takes about 10 ms: at most one in 300.
    private const long PauseMs = 3_000;

    // Less is not worth a collection.
    private const long MuchBytes = 8 * 1024 * 1024;

    // Let go while others are taken: the collector would let hundreds of megabytes gather. At most two collections a second, of about 5 ms each, which keep
    // what they free.
    private const long TooMuchBytes = 32 * 1024 * 1024;
    private const long BusyPauseMs = 500;

    private static long s_droppedBytes;
    private static long s_droppedBefore;
    private static long s_lastMs = -PauseMs;
    private static int s_isCollecting;

    /// <summary>Notes that so many bytes were left to the collector.</summary>
    public static void Dropped(long bytes)
    {
        if (bytes > 0 && Interlocked.Add(ref s_droppedBytes, bytes) >= TooMuchBytes)
        {
            Collect(BusyPauseMs, GCCollectionMode.Forced);
        }
    }

    /// <summary>Looks whether there is something to give back. Called by a clock, twice a second or so.</summary>
    public static void GiveBack()
    {
        LargeBlocks.Trim();
        long dropped = Volatile.Read(ref s_droppedBytes);
        bool isQuiet = dropped == Interlocked.Exchange(ref s_droppedBefore, dropped);
        if (isQuiet && dropped >= MuchBytes)
        {
            Collect(PauseMs, GCCollectionMode.Aggressive);
        }
    }

    private static void Collect(long pauseMs, GCCollectionMode mode)
    {
        long now = Environment.TickCount64;
        if (now - Volatile.Read(ref s_lastMs) < pauseMs || Interlocked.Exchange(ref s_isCollecting, 1) != 0)
        {
            return;
        }

        Volatile.Write(ref s_lastMs, now);

        // What was let go before a collection that keeps it is still to be given back when it is quiet.
        Volatile.Write(ref s_droppedBytes, mode == GCCollectionMode.Aggressive ? 0 : MuchBytes);
        ThreadPool.UnsafeQueueUserWorkItem(
            static mode =>
            {
                GC.Collect(GC.MaxGeneration, mode, blocking: true, compacting: mode == GCCollectionMode.Aggressive);
                Volatile.Write(ref s_isCollecting, 0);
            },
            mode,
            preferLocal: false);
    }
}
