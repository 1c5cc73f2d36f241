using System.Runtime.InteropServices;

namespace Larder.Store.Bench;

/// <summary>How often the system took the processor from this thread, against its will.</summary>
internal static partial class ThreadSwitches
{
    private const int OfThisThread = 1;

    // struct rusage: two times of two words, then fourteen counts, of which the last is ru_nivcsw.
    private const int Words = 18;

    /// <summary>Since the thread began; Linux alone tells.</summary>
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
