using System.Runtime.InteropServices;

namespace Larder.Store;

/// <summary>
/// Allocates memory from the operating system: whole mappings of zeroed pages outside the garbage-collected heap. Tests replace this class to simulate refused
/// memory.
/// </summary>
internal unsafe partial class PageSource
{
    private const int ProtReadWrite = 3;

    // The flags for a private, anonymous mapping without swap reserve (MAP_NORESERVE). No reserve is needed, because more address space is mapped than is ever
    // accessed.
    private const int MapFlags = 0x4022;
    private const int DontNeed = 4;

    /// <summary>The source that allocates memory from the operating system.</summary>
    public static PageSource System { get; } = new();

    /// <summary>Maps zeroed memory.</summary>
    /// <returns>The address, or null if the memory is refused.</returns>
    public virtual byte* Map(long bytes)
    {
        if (!OperatingSystem.IsLinux())
        {
            return MapElsewhere(bytes);
        }

        nint address = Map(0, (nuint)bytes, ProtReadWrite, MapFlags, -1, 0);
        return address == -1 ? null : (byte*)address;
    }

    /// <summary>Unmaps a whole mapping.</summary>
    /// <returns>False if unmapping failed. Unmapping splits the surrounding mapping, which can exceed the maximum number of mappings.</returns>
    public virtual bool Unmap(byte* at, long bytes)
    {
        if (!OperatingSystem.IsLinux())
        {
            NativeMemory.Free(at);
            return true;
        }

        return Unmap((nint)at, (nuint)bytes) == 0;
    }

    /// <summary>Releases the memory of a part of a mapping. The address space is kept, and reads of it return zero afterwards.</summary>
    /// <returns>True if the memory is no longer resident. The memory is zeroed in either case.</returns>
    public virtual bool Discard(byte* at, long bytes)
    {
        if (OperatingSystem.IsLinux() && Advise((nint)at, (nuint)bytes, DontNeed) == 0)
        {
            return true;
        }

        NativeMemory.Clear(at, (nuint)bytes);
        return false;
    }

    // This code is not tested, because the project's tests run only on Linux.
    private static byte* MapElsewhere(long bytes)
    {
        try
        {
            return (byte*)NativeMemory.AllocZeroed((nuint)bytes);
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    private static partial nint Map(nint address, nuint length, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "munmap", SetLastError = true)]
    private static partial int Unmap(nint address, nuint length);

    [LibraryImport("libc", EntryPoint = "madvise", SetLastError = true)]
    private static partial int Advise(nint address, nuint length, int advice);
}
