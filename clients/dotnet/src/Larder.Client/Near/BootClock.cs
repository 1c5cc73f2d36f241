using System.Runtime.InteropServices;

namespace Larder.Client.Near;

/// <summary>The Linux clock that measures the time since boot, including the time during which the machine sleeps.</summary>
internal sealed class BootClock : NearClock
{
    // The value of CLOCK_BOOTTIME in time.h.
    private const int SinceBoot = 7;

    // A time later than the end of any lease or copy, and small enough that additions do not overflow.
    private static readonly TimeSpan s_never = TimeSpan.MaxValue / 2;

    public static bool IsReadable
    {
        get
        {
            try
            {
                return OperatingSystem.IsLinux() && GetTime(SinceBoot, out _) == 0;
            }
            catch (Exception missing) when (missing is DllNotFoundException or EntryPointNotFoundException)
            {
                // There is no C library with this name, so NearClock.Of uses the other clock.
                return false;
            }
        }
    }

    // If reading the clock fails although it has succeeded before, the time is later than the end of every copy, so all copies count as expired.
    public override TimeSpan Now => GetTime(SinceBoot, out Moment now) == 0
        ? new TimeSpan((now.Seconds * TimeSpan.TicksPerSecond) + (now.Nanoseconds / TimeSpan.NanosecondsPerTick))
        : s_never;

    [DllImport("libc", EntryPoint = "clock_gettime")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetTime(int clock, out Moment moment);

    private readonly struct Moment
    {
        public readonly nint Seconds;
        public readonly nint Nanoseconds;
    }
}
