using System.Runtime.InteropServices;

namespace Larder.Agent;

/// <summary>
/// Sleeps with a precision of some tens of µs if the system supports it. <see cref="Thread.Sleep(int)"/> alone wakes up to a millisecond late.
/// </summary>
internal static partial class PreciseSleep
{
    private const int SetTimerSlack = 29;
    private const nuint OneNanosecond = 1;

    /// <summary>
    /// Makes the current thread wake at exactly the requested time. By default, the system delays a wake-up by up to 50 µs, so that it can wake several threads
    /// together.
    /// </summary>
    public static void BeExact()
    {
        if (OperatingSystem.IsLinux())
        {
            _ = ProcessControl(SetTimerSlack, OneNanosecond, 0, 0, 0);
        }
    }

    /// <summary>Sleeps for about <paramref name="time"/>, but at most 100 ms, so that callers check their state regularly.</summary>
    public static void For(TimeSpan time)
    {
        TimeSpan bounded = time > TimeSpan.FromMilliseconds(100) ? TimeSpan.FromMilliseconds(100) : time;
        if (!OperatingSystem.IsLinux())
        {
            Thread.Sleep(bounded);
            return;
        }

        var wanted = new TimeSpec { Nanoseconds = (nint)(bounded.Ticks * 100) };
        _ = NanoSleep(in wanted, 0);
    }

    [LibraryImport("libc", EntryPoint = "nanosleep")]
    private static partial int NanoSleep(in TimeSpec wanted, nint remaining);

    [LibraryImport("libc", EntryPoint = "prctl")]
    private static partial int ProcessControl(int option, nuint value, nuint second, nuint third, nuint fourth);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
