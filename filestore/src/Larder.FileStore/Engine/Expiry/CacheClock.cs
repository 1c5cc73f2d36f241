using System.Diagnostics;

namespace Larder.FileStore.Engine;

/// <summary>
/// The clock for expirations. With the system time, a thread refreshes <see cref="AliveBefore"/> every 50 ms, so that checking an entry's expiration costs one
/// comparison. The exact clock is read only within the last second before the expiration. With any other <see cref="TimeProvider"/> the exact clock is always
/// read.
/// </summary>
internal sealed class CacheClock
{
    /// <summary>
    /// The margin that <see cref="AliveBefore"/> adds to the coarse time. Because of this margin, the value stays correct if the thread that refreshes it is
    /// stalled for up to this time.
    /// </summary>
    private const long MarginMs = 1000;

    /// <summary>
    /// An upper bound for the lag of the coarse tick. The actual lag is much smaller, because the kernel advances the coarse clock every 1 to 10 ms.
    /// </summary>
    internal const long CoarseLagMs = 100;

    /// <summary>
    /// Whether the exact and the coarse clock count from the same moment, as on Linux. If this is false, the coarse clock is used for both.
    /// </summary>
    private static readonly bool HasExact = Math.Abs(ExactMs - Environment.TickCount64) < CoarseLagMs;
    private const int RefreshMs = 50;
    private static readonly CacheClock SystemClock = new(TimeProvider.System);

    private readonly TimeProvider _time;
    private readonly bool _system;
    private readonly Lock _gate = new();
    private int _users;
    private bool _running;

    /// <summary>
    /// Entries whose expiry tick is greater than this value are alive. This value is always less than <see cref="Entry.Never"/>.
    /// </summary>
    internal long AliveBefore = Entry.Never - 1;

    private CacheClock(TimeProvider time)
    {
        _time = time;
        _system = ReferenceEquals(time, TimeProvider.System);
    }

    internal static CacheClock For(TimeProvider time) =>
        ReferenceEquals(time, TimeProvider.System) ? SystemClock : new CacheClock(time);

    internal TimeProvider Time => _time;

    /// <summary>Gets the monotonic time in milliseconds, accurate to 1 ms.</summary>
    internal long Tick => _system && HasExact ? ExactMs : CoarseTick;

    /// <summary>Gets the monotonic time in milliseconds. It may lag by up to <see cref="CoarseLagMs"/>, but costs a quarter of the exact time.</summary>
    internal long CoarseTick => _system ? Environment.TickCount64 : _time.GetTimestamp() / Math.Max(_time.TimestampFrequency / 1000, 1);

    private static long ExactMs => Stopwatch.GetTimestamp() / (Stopwatch.Frequency / 1000);

    internal long UtcMs => _time.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>Converts the UTC time <paramref name="utcMs"/> to a tick of the monotonic clock.</summary>
    internal long TickOf(long utcMs) => Tick + (utcMs - UtcMs);

    internal long UtcMsOf(long tick) => UtcMs + (tick - Tick);

    /// <summary>Registers a cache that uses this clock. Starts the thread that refreshes <see cref="AliveBefore"/> if it is not running.</summary>
    internal void AddUser()
    {
        if (!_system)
        {
            return;
        }
        lock (_gate)
        {
            Refresh();
            _users++;
            if (!_running)
            {
                _running = true;
                new Thread(Run) { IsBackground = true, Name = "Larder.FileStore clock", Priority = ThreadPriority.AboveNormal }.UnsafeStart();
            }
        }
    }

    internal void RemoveUser()
    {
        if (_system)
        {
            lock (_gate)
            {
                _users--;
            }
        }
    }

    private void Run()
    {
        while (true)
        {
            lock (_gate)
            {
                if (_users == 0)
                {
                    _running = false;
                    Volatile.Write(ref AliveBefore, Entry.Never - 1);
                    return;
                }
                Refresh();
            }
            Thread.Sleep(RefreshMs);
        }
    }

    private void Refresh() => Volatile.Write(ref AliveBefore, Environment.TickCount64 + MarginMs);
}
