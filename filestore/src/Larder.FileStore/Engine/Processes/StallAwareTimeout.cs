using System.Diagnostics;

namespace Larder.FileStore.Engine;

/// <summary>
/// The remaining time of a wait for a lock. Each sleep counts only with its intended length. A sleep that ends late means that the machine was too busy to run
/// this process, or that the process was stopped, and not that the lock was held for that long. In total, a wait takes at most <see cref="MaxExtension"/> times
/// its timeout.
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
    /// Records a sleep that was intended to last <paramref name="milliseconds"/> and lasted <paramref name="actual"/>. The sleep may have ended early.
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
