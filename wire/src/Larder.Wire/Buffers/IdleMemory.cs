namespace Larder.Wire;

/// <summary>
/// Asks for garbage collections when large buffers were dropped, because without them the runtime may let hundreds of megabytes gather, or keep them for
/// minutes. While buffers are dropped all the time, a collection runs in the background and frees them for reuse. When it is quiet, a blocking one gives the
/// memory back to the system. Safe from any thread.
/// </summary>
/// <remarks>
/// Clients decide how much is dropped and when, so a client must not be able to stop the process again and again: a blocking collection takes as long as the
/// heap is large, so the next one waits until both together have taken at most 0.02 % of the time.
/// </remarks>
/// <param name="time">The clock.</param>
/// <param name="collect">Collects; true: blocking, and memory is given back to the system. Called on a thread of the pool.</param>
internal sealed class IdleMemory(TimeProvider time, Action<bool> collect)
{
    /// <summary>Not worth a blocking collection if less was dropped.</summary>
    public const long MuchBytes = 8 * 1024 * 1024;

    /// <summary>So much dropped garbage is collected at once, in the background.</summary>
    public const long TooMuchBytes = 32 * 1024 * 1024;

    /// <summary>The shortest time between two background collections.</summary>
    public static readonly TimeSpan BackgroundPause = TimeSpan.FromMilliseconds(500);

    /// <summary>The shortest time between two blocking collections.</summary>
    public static readonly TimeSpan BlockingPause = TimeSpan.FromSeconds(3);

    // A pause for each unit of time that the last blocking collection took.
    private const int PauseFactor = 5_000;

    private readonly long _started = time.GetTimestamp();
    private long _droppedBytes;
    private long _droppedBefore;
    private TimeSpan _nextBackground;
    private TimeSpan _nextBlocking;
    private int _isCollecting;

    /// <summary>That of the process.</summary>
    public static IdleMemory OfProcess { get; } = new(
        TimeProvider.System,
        static isBlocking => GC.Collect(
            GC.MaxGeneration, isBlocking ? GCCollectionMode.Aggressive : GCCollectionMode.Forced, isBlocking, compacting: isBlocking));

    /// <summary>Whether a collection is under way.</summary>
    public bool IsCollecting => Volatile.Read(ref _isCollecting) != 0;

    /// <summary>Counts bytes of buffers that nobody refers to any more.</summary>
    public void Dropped(long bytes)
    {
        if (bytes <= 0 || Interlocked.Add(ref _droppedBytes, bytes) < TooMuchBytes || Now < _nextBackground || !TryBegin())
        {
            return;
        }

        // They are free, but still the process's: to be given back when it is quiet.
        Volatile.Write(ref _droppedBytes, MuchBytes);
        _nextBackground = Now + BackgroundPause;
        Start(isBlocking: false);
    }

    /// <summary>Collects if much was dropped, but nothing since the last call of this method. To be called about twice a second.</summary>
    public void GiveBack()
    {
        long dropped = Volatile.Read(ref _droppedBytes);
        bool isQuiet = dropped == Interlocked.Exchange(ref _droppedBefore, dropped);
        if (isQuiet && dropped >= MuchBytes && Now >= _nextBlocking && TryBegin())
        {
            Volatile.Write(ref _droppedBytes, 0);
            Start(isBlocking: true);
        }
    }

    private TimeSpan Now => time.GetElapsedTime(_started);

    private bool TryBegin() => Interlocked.Exchange(ref _isCollecting, 1) == 0;

    private void Start(bool isBlocking) => ThreadPool.UnsafeQueueUserWorkItem(Run, isBlocking, preferLocal: false);

    private void Run(bool isBlocking)
    {
        TimeSpan start = Now;
        collect(isBlocking);
        TimeSpan end = Now;
        if (isBlocking)
        {
            TimeSpan pause = (end - start) * PauseFactor;
            _nextBlocking = end + (pause > BlockingPause ? pause : BlockingPause);
        }

        Volatile.Write(ref _isCollecting, 0);
    }
}
