using System.Diagnostics;

namespace Larder.FileStore.Engine;

/// <summary>
/// The remaining time of a wait. A sleep counts only for its intended length: if it ends late, the machine was too busy to run this process (or the process was
/// stopped), which is not the fault of the lock. A wait takes at most <see cref="MaxExtension"/> times its timeout in total.
/// </summary>
internal struct StallAwareTimeout(TimeSpan timeout)
{
    internal const int MaxExtension = 4;
    private readonly long _start = Stopwatch.GetTimestamp();
    private TimeSpan _slept;

    /// <summary>Gets the elapsed wall-clock time.</summary>
    internal readonly TimeSpan Elapsed => Stopwatch.GetElapsedTime(_start);

    internal readonly TimeSpan Left => LeftOf(timeout, _slept, Elapsed);

    internal readonly bool IsOver => Left <= TimeSpan.Zero;

    /// <summary>
    /// Records a sleep that was intended to last <paramref name="milliseconds"/> and lasted <paramref name="actual"/>; it may have been woken early.
    /// </summary>
    internal void Slept(int milliseconds, TimeSpan actual)
    {
        TimeSpan meant = TimeSpan.FromMilliseconds(milliseconds);
        _slept += actual < meant ? actual : meant;
    }

    internal static TimeSpan LeftOf(TimeSpan timeout, TimeSpan slept, TimeSpan elapsed)
    {
        TimeSpan byTheClock = timeout * MaxExtension - elapsed;
        TimeSpan bySleep = timeout - slept;
        return byTheClock < bySleep ? byTheClock : bySleep;
    }
}
