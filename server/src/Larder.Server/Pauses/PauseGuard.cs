namespace Larder.Server.Pauses;

/// <summary>
/// Detects that the whole process was paused, for example by SIGSTOP or because the machine was suspended. Immediately after a pause, it is not safe to run the
/// calls that waited in the sockets. A deadline counts from the arrival of the call in this process, so a call that was sent during the pause could run long
/// after its caller gave up. Such calls fail with UNAVAILABLE and the cause <c>not_executed</c>, so that clients may retry them.
/// </summary>
/// <remarks>
/// A dedicated thread wakes up every 100 ms. If it wakes up more than 1 s late (<see cref="ServerOptions.LongestBusyGap"/>), the process was paused, because a
/// busy scheduler does not cause such delays. Calls are then rejected for 100 ms. This is long enough to read the data in the kernel's buffers, and shorter
/// than the total back-off of a client's retries.
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
    private long _lastHeartbeat;
    private long _unsafeUntil = long.MinValue;

    public PauseGuard(TimeProvider time, TimeSpan? longestBusyGap = null, bool startThread = true)
    {
        _time = time;
        _longestBusyGap = longestBusyGap ?? LongestBusyGap;
        _lastHeartbeat = time.GetTimestamp();
        if (startThread)
        {
            _thread = new Thread(RunHeartbeats) { IsBackground = true, Name = "larder-pause-guard", Priority = ThreadPriority.AboveNormal };
            _thread.Start();
        }
    }

    /// <summary>Returns whether calls that reach a handler now may be older than they appear.</summary>
    public bool IsResuming()
    {
        long now = _time.GetTimestamp();
        Observe(now);
        return now < Volatile.Read(ref _unsafeUntil);
    }

    /// <summary>Records that the process is running. Detects a pause since the previous call of this method.</summary>
    internal void RecordHeartbeat()
    {
        long now = _time.GetTimestamp();
        Observe(now);
        Volatile.Write(ref _lastHeartbeat, now);
    }

    public void Dispose()
    {
        _stop.Set();
        _thread?.Join();
        _stop.Dispose();
    }

    private void Observe(long now)
    {
        if (_time.GetElapsedTime(Volatile.Read(ref _lastHeartbeat), now) > _longestBusyGap)
        {
            long until = now + (long)(Hold.TotalSeconds * _time.TimestampFrequency);
            Volatile.Write(ref _unsafeUntil, until);
            Volatile.Write(ref _lastHeartbeat, now);
        }
    }

    private void RunHeartbeats()
    {
        while (!_stop.Wait(Beat))
        {
            RecordHeartbeat();
        }
    }
}
