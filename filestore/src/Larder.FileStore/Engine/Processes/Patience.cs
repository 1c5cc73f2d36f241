using System.Diagnostics;

namespace Larder.FileStore.Engine;

/// <summary>
/// How long a caller still waits. A sleep counts for as long as it was meant to be: where it ends late the machine was too busy to run this process (or it was
/// stopped), and that is no fault of the lock. All in all a wait takes at most <see cref="MostStretch"/> times its timeout.
/// </summary>
internal struct Patience(TimeSpan timeout)
{
    internal const int MostStretch = 4;
    private readonly long _start = Stopwatch.GetTimestamp();
    private TimeSpan _slept;

    /// <summary>By the clock.</summary>
    internal readonly TimeSpan Elapsed => Stopwatch.GetElapsedTime(_start);

    internal readonly TimeSpan Left => LeftOf(timeout, _slept, Elapsed);

    internal readonly bool IsOver => Left <= TimeSpan.Zero;

    /// <summary>A sleep meant to be of <paramref name="milliseconds"/>, which a call may have cut short, has lasted <paramref name="actual"/>.</summary>
    internal void Slept(int milliseconds, TimeSpan actual)
    {
        TimeSpan meant = TimeSpan.FromMilliseconds(milliseconds);
        _slept += actual < meant ? actual : meant;
    }

    internal static TimeSpan LeftOf(TimeSpan timeout, TimeSpan slept, TimeSpan elapsed)
    {
        TimeSpan byTheClock = timeout * MostStretch - elapsed;
        TimeSpan bySleep = timeout - slept;
        return byTheClock < bySleep ? byTheClock : bySleep;
    }
}
