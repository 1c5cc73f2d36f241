using System.Runtime.InteropServices;

namespace Larder.Store;

/// <summary>Memory of the operating system, in whole mappings of zeroed pages outside the collected heap. A test replaces it to refuse memory.</summary>
internal unsafe partial class PageSource
{
    private const int ProtReadWrite = 3;

    // Private, anonymous, and without a reserve: address space is taken in larger pieces than are ever touched.
    private const int MapFlags = 0x4022;
    private const int DontNeed = 4;

    /// <summary>The operating system's own.</summary>
    public static PageSource System { get; } = new();

    /// <summary>Takes zeroed memory.</summary>
    /// <returns>Where, or null where it is refused.</returns>
    public virtual byte* Map(long bytes)
    {
        if (!OperatingSystem.IsLinux())
        {
            return MapElsewhere(bytes);
        }

        nint address = Map(0, (nuint)bytes, ProtReadWrite, MapFlags, -1, 0);
        return address == -1 ? null : (byte*)address;
    }

    /// <summary>Gives a mapping back whole.</summary>
    /// <returns>Whether it was taken back: unmapping in the middle of others may need a mapping more than there can be.</returns>
    public virtual bool Unmap(byte* at, long bytes)
    {
        if (!OperatingSystem.IsLinux())
        {
            NativeMemory.Free(at);
            return true;
        }

        return Unmap((nint)at, (nuint)bytes) == 0;
    }

    /// <summary>Gives back the memory behind a part of a mapping, which reads as zero from then on; the address space stays.</summary>
    /// <returns>Whether it is no longer resident; it is zero in either case.</returns>
    public virtual bool Discard(byte* at, long bytes)
    {
        if (OperatingSystem.IsLinux() && Advise((nint)at, (nuint)bytes, DontNeed) == 0)
        {
            return true;
        }

        NativeMemory.Clear(at, (nuint)bytes);
        return false;
    }

    // Untested: the project's tests run on Linux.
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
