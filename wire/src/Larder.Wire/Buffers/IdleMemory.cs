namespace Larder.Wire;

/// <summary>
/// Requests garbage collections after large buffers were dropped. Without these requests, the runtime may accumulate hundreds of megabytes of unused memory, or
/// keep it for minutes. While buffers are continuously dropped, a background collection frees them for reuse. When no buffers are dropped any more, a blocking
/// collection returns the memory to the system. Thread-safe.
/// </summary>
/// <remarks>
/// Clients determine how much memory is dropped and when. They must not be able to pause the process repeatedly. The duration of a blocking collection grows
/// with the heap. The next blocking collection therefore waits until such collections take at most 0.02 % of the time.
/// </remarks>
/// <param name="time">The clock.</param>
/// <param name="collect">
/// Runs a collection on a thread pool thread. If the argument is true, the collection is blocking and memory is returned to the system.
/// </param>
internal sealed class IdleMemory(TimeProvider time, Action<bool> collect)
{
    /// <summary>The minimum number of dropped bytes for a blocking collection.</summary>
    public const long MuchBytes = 8 * 1024 * 1024;

    /// <summary>The number of dropped bytes that starts a background collection immediately.</summary>
    public const long TooMuchBytes = 32 * 1024 * 1024;

    /// <summary>The minimum time between two background collections.</summary>
    public static readonly TimeSpan BackgroundPause = TimeSpan.FromMilliseconds(500);

    /// <summary>The minimum time between two blocking collections.</summary>
    public static readonly TimeSpan BlockingPause = TimeSpan.FromSeconds(3);

    // The pause before the next blocking collection, as a multiple of the duration of the last one.
    private const int PauseFactor = 5_000;

    private readonly long _started = time.GetTimestamp();
    private long _droppedBytes;
    private long _droppedBefore;
    private TimeSpan _nextBackground;
    private TimeSpan _nextBlocking;
    private int _isCollecting;

    /// <summary>Gets the instance that the whole process shares.</summary>
    public static IdleMemory OfProcess { get; } = new(
        TimeProvider.System,
        static isBlocking => GC.Collect(
            GC.MaxGeneration, isBlocking ? GCCollectionMode.Aggressive : GCCollectionMode.Forced, isBlocking, compacting: isBlocking));

    /// <summary>Gets whether a collection is in progress.</summary>
    public bool IsCollecting => Volatile.Read(ref _isCollecting) != 0;

    /// <summary>Counts the bytes of buffers that are no longer referenced.</summary>
    public void Dropped(long bytes)
    {
        if (bytes <= 0 || Interlocked.Add(ref _droppedBytes, bytes) < TooMuchBytes || Now < _nextBackground || !TryBegin())
        {
            return;
        }

        // The bytes are now free but still belong to the process. They are returned to the system when no more buffers are dropped.
        Volatile.Write(ref _droppedBytes, MuchBytes);
        _nextBackground = Now + BackgroundPause;
        Start(isBlocking: false);
    }

    /// <summary>
    /// Runs a blocking collection if many bytes were dropped before the last call of this method, and none since then. Call this method about twice a second.
    /// </summary>
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
