using System.Diagnostics;

namespace Larder.FileStore.Engine;

/// <summary>
/// The time as reads need it. For the system's time a thread refreshes <see cref="AliveBefore"/> each 50 ms, so that reading an
/// entry with an expiry costs one comparison; within the last second before its expiry the exact clock is read.
/// For any other <see cref="TimeProvider"/> the exact clock is always read.
/// </summary>
internal sealed class CacheClock
{
    /// <summary>
    /// An entry that ends later than this far after the coarse time is alive without a look at the exact time. It covers stalls of the refreshing thread
    /// shorter than itself.
    /// </summary>
    private const long MarginMs = 1000;

    /// <summary>The coarse tick is at most this far behind: the kernel moves it with its timer, each 1 to 10 ms; here with a wide margin.</summary>
    internal const long CoarseLagMs = 100;

    /// <summary>Whether the exact and the coarse clock count from the same moment, as on Linux; elsewhere the coarse one serves for both.</summary>
    private static readonly bool HasExact = Math.Abs(ExactMs - Environment.TickCount64) < CoarseLagMs;
    private const int RefreshMs = 50;
    private static readonly CacheClock SystemClock = new(TimeProvider.System);

    private readonly TimeProvider _time;
    private readonly bool _system;
    private readonly Lock _gate = new();
    private int _users;
    private bool _running;

    /// <summary>Entries whose tick is greater are alive. <see cref="Entry.Never"/> is greater than every value this takes.</summary>
    internal long AliveBefore = Entry.Never - 1;

    private CacheClock(TimeProvider time)
    {
        _time = time;
        _system = ReferenceEquals(time, TimeProvider.System);
    }

    internal static CacheClock For(TimeProvider time) =>
        ReferenceEquals(time, TimeProvider.System) ? SystemClock : new CacheClock(time);

    internal TimeProvider Time => _time;

    /// <summary>Monotonic milliseconds, exact to one.</summary>
    internal long Tick => _system && HasExact ? ExactMs : CoarseTick;

    /// <summary>The same at a quarter of the price, but up to <see cref="CoarseLagMs"/> late.</summary>
    internal long CoarseTick => _system ? Environment.TickCount64 : _time.GetTimestamp() / Math.Max(_time.TimestampFrequency / 1000, 1);

    private static long ExactMs => Stopwatch.GetTimestamp() / (Stopwatch.Frequency / 1000);

    internal long UtcMs => _time.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>The tick at which the UTC moment <paramref name="utcMs"/> comes.</summary>
    internal long TickOf(long utcMs) => Tick + (utcMs - UtcMs);

    internal long UtcMsOf(long tick) => UtcMs + (tick - Tick);

    /// <summary>Starts the refreshing thread with its first user.</summary>
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
