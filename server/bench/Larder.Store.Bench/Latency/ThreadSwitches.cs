using System.Runtime.InteropServices;

namespace Larder.Store.Bench;

/// <summary>Counts the involuntary context switches of a thread.</summary>
internal static partial class ThreadSwitches
{
    private const int OfThisThread = 1;

    // In struct rusage, fourteen counters follow two times of two words each. The last counter is ru_nivcsw.
    private const int Words = 18;

    /// <summary>Returns the number of switches since the thread started. Works on Linux only.</summary>
    public static long Count()
    {
        Span<long> usage = stackalloc long[Words];
        return GetResourceUsage(OfThisThread, ref MemoryMarshal.GetReference(usage)) == 0
            ? usage[^1]
            : throw new PlatformNotSupportedException("getrusage of a thread");
    }

    [LibraryImport("libc", EntryPoint = "getrusage")]
    private static partial int GetResourceUsage(int who, ref long usage);
}
