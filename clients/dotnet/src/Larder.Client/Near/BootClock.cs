using System.Runtime.InteropServices;

namespace Larder.Client.Near;

/// <summary>Linux's clock of time since boot, sleep included.</summary>
internal sealed class BootClock : NearClock
{
    // CLOCK_BOOTTIME of time.h.
    private const int SinceBoot = 7;

    // Later than any lease and any copy, and far enough from the end of time to add to.
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
                // No C library by that name: the other clock does.
                return false;
            }
        }
    }

    // What was read once can be read; were it not so, nothing would be served.
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
