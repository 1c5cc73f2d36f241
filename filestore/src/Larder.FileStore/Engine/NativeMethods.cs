using System.Runtime.InteropServices;

namespace Larder.FileStore.Engine;

/// <summary>The few calls of the C library that .NET does not offer. None is variadic as used here (no O_CREAT), so they are right on Apple arm64 too.</summary>
internal static unsafe partial class NativeMethods
{
    internal const int ReadWrite = 2;
    internal const int LockExclusive = 2;
    internal const int LockNonBlocking = 4;
    internal const int LockRelease = 8;
    internal const int ProtectReadWrite = 3;
    internal const int MapShared = 1;
    internal const int NoSuchFile = 2;

    /// <summary>O_CLOEXEC: a child process must not inherit the descriptor that carries the lock.</summary>
    internal static int CloseOnExec => OperatingSystem.IsMacOS() ? 0x1000000 : 0x80000;

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    internal static partial int FileLock(int descriptor, int operation);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    internal static partial int Flush(int descriptor);

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    internal static partial nint Map(nint address, nuint length, int protection, int flags, int descriptor, long offset);

    [LibraryImport("libc", EntryPoint = "munmap")]
    internal static partial int Unmap(nint address, nuint length);

    [LibraryImport("libc", EntryPoint = "usleep")]
    internal static partial int SleepMicroseconds(uint microseconds);

    [LibraryImport("libc", EntryPoint = "sched_yield")]
    internal static partial int Yield();

    [LibraryImport("libc", EntryPoint = "statfs", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int FileSystemStatus(string path, byte* buffer);
}
