using System.Runtime.InteropServices;

namespace Larder.Agent;

/// <summary>Sleeps to some tens of µs where the system can; <see cref="Thread.Sleep(int)"/> alone wakes a millisecond late.</summary>
internal static partial class PreciseSleep
{
    /// <summary>Sleeps for at least nothing and about <paramref name="time"/>, at most 100 ms so that callers look around.</summary>
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

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
