using System.Runtime.InteropServices;

namespace Larder.Store;

/// <summary>Zeroed memory outside the collected heap, taken from and given back to the operating system directly, so that what is freed is no longer resident.</summary>
internal static unsafe partial class NativePages
{
    private const int ProtReadWrite = 3;
    private const int MapPrivateAnonymous = 0x22;

    public static byte* Allocate(nuint bytes)
    {
        if (!OperatingSystem.IsLinux())
        {
            return (byte*)NativeMemory.AllocZeroed(bytes);
        }

        nint address = Map(0, bytes, ProtReadWrite, MapPrivateAnonymous, -1, 0);
        return address == -1 ? throw new InsufficientMemoryException($"The operating system refused {bytes} bytes for the store.") : (byte*)address;
    }

    public static void Free(byte* address, nuint bytes)
    {
        if (!OperatingSystem.IsLinux())
        {
            NativeMemory.Free(address);
        }
        else
        {
            _ = Unmap((nint)address, bytes);
        }
    }

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    private static partial nint Map(nint address, nuint length, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "munmap", SetLastError = true)]
    private static partial int Unmap(nint address, nuint length);
}
