namespace Larder.Server.Pauses;

/// <summary>
/// Knows that the whole process stood still (SIGSTOP, a suspended machine) and for a moment afterwards calls it unsafe to run what
/// waited in the sockets: a deadline counts from a call's arrival in this process, so a call sent during the pause would run long after
/// its caller gave up. Such calls are answered UNAVAILABLE with the cause <c>not_executed</c>, which any client may retry.
/// </summary>
/// <remarks>
/// A thread of its own beats every 100 ms; a beat that comes a second late (<see cref="ServerOptions.LongestBusyGap"/>) was held up with the process, not by a
/// busy scheduler.
/// The guard holds for 100 ms after the pause: longer than it takes to read what the kernel had buffered, and shorter than what a
/// client's retries wait in all.
/// </remarks>
internal sealed class PauseGuard : IDisposable
{
    internal static readonly TimeSpan Beat = TimeSpan.FromMilliseconds(100);
    internal static readonly TimeSpan LongestBusyGap = TimeSpan.FromSeconds(1);
    internal static readonly TimeSpan Hold = TimeSpan.FromMilliseconds(100);

    private readonly TimeProvider _time;
    private readonly TimeSpan _longestBusyGap;
    private readonly ManualResetEventSlim _stop = new();
    private readonly Thread? _thread;
    private long _lastBeat;
    private long _unsafeUntil = long.MinValue;

    public PauseGuard(TimeProvider time, TimeSpan? longestBusyGap = null, bool startThread = true)
    {
        _time = time;
        _longestBusyGap = longestBusyGap ?? LongestBusyGap;
        _lastBeat = time.GetTimestamp();
        if (startThread)
        {
            _thread = new Thread(BeatUntilStopped) { IsBackground = true, Name = "larder-pause-guard", Priority = ThreadPriority.AboveNormal };
            _thread.Start();
        }
    }

    /// <summary>True while calls that reach a handler may be older than they look.</summary>
    public bool IsResuming()
    {
        long now = _time.GetTimestamp();
        Observe(now);
        return now < Volatile.Read(ref _unsafeUntil);
    }

    /// <summary>Notes that the process runs now; finds a pause behind it.</summary>
    internal void BeatOnce()
    {
        long now = _time.GetTimestamp();
        Observe(now);
        Volatile.Write(ref _lastBeat, now);
    }

    public void Dispose()
    {
        _stop.Set();
        _thread?.Join();
        _stop.Dispose();
    }

    private void Observe(long now)
    {
        if (_time.GetElapsedTime(Volatile.Read(ref _lastBeat), now) > _longestBusyGap)
        {
            long until = now + (long)(Hold.TotalSeconds * _time.TimestampFrequency);
            Volatile.Write(ref _unsafeUntil, until);
            Volatile.Write(ref _lastBeat, now);
        }
    }

    private void BeatUntilStopped()
    {
        while (!_stop.Wait(Beat))
        {
            BeatOnce();
        }
    }
}
