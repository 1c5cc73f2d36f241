using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// The C library functions that .NET does not offer. On Apple arm64, variadic functions have a different calling convention. Most calls here pass no variadic
/// arguments (for example open without O_CREAT, or fcntl without an argument). The exceptions, syscall and fcntl with an argument, are called only on Linux.
/// </summary>
internal static unsafe partial class NativeMethods
{
    internal const int ReadWrite = 2;
    internal const int LockExclusive = 2;
    internal const int LockNonBlocking = 4;
    internal const int LockRelease = 8;
    internal const int ProtectRead = 1;
    internal const int ProtectReadWrite = 3;
    internal const int ProtectReadExecute = 5;
    internal const int MapShared = 1;
    internal const int MapPrivate = 2;

    /// <summary>MAP_FIXED, which replaces the existing mapping at the address. This value and <see cref="MapAnonymous"/> are those of Linux.</summary>
    internal const int MapFixed = 0x10;
    internal const int MapAnonymous = 0x20;
    internal const int NoSuchFile = 2;

    /// <summary>O_CLOEXEC. A child process must not inherit the descriptor, because the descriptor holds the lock.</summary>
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

    [LibraryImport("libc", EntryPoint = "mprotect")]
    internal static partial int Protect(nint address, nuint length, int protection);

    [LibraryImport("libc", EntryPoint = "sigaction")]
    internal static partial int SignalAction(int signal, byte* action, byte* former);

    [LibraryImport("libc", EntryPoint = "usleep")]
    internal static partial int SleepMicroseconds(uint microseconds);

    [LibraryImport("libc", EntryPoint = "sched_yield")]
    internal static partial int Yield();

    [LibraryImport("libc", EntryPoint = "statfs", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int FileSystemStatus(string path, byte* buffer);

    [LibraryImport("libc", EntryPoint = "statx")]
    internal static partial int StatX(int folder, byte* path, int flags, uint mask, byte* buffer);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    internal static partial int FileControl(SafeFileHandle file, int command, void* argument);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    internal static partial int FileControl(int descriptor, int command);

    [LibraryImport("libc", EntryPoint = "stat", SetLastError = true)]
    internal static partial int AppleStat(byte* path, byte* buffer);

    [LibraryImport("libc", EntryPoint = "stat$INODE64", SetLastError = true)]
    internal static partial int AppleStat64(byte* path, byte* buffer);

    [LibraryImport("libc", EntryPoint = "fstat", SetLastError = true)]
    internal static partial int AppleStatOfOpen(int descriptor, byte* buffer);

    [LibraryImport("libc", EntryPoint = "fstat$INODE64", SetLastError = true)]
    internal static partial int AppleStat64OfOpen(int descriptor, byte* buffer);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    internal static partial bool GetFileInformationByHandle(SafeFileHandle file, byte* buffer);

    [LibraryImport("libc", EntryPoint = "syscall")]
    internal static partial nint SystemCall(nint number, int* address, nint operation, nint value, nint* timeout, nint none, nint alsoNone);

    [LibraryImport("libc", EntryPoint = "pread", SetLastError = true)]
    internal static partial nint ReadAt(SafeFileHandle file, byte* bytes, nint length, long offset);

    [LibraryImport("libc", EntryPoint = "pwrite", SetLastError = true)]
    internal static partial nint WriteAt(SafeFileHandle file, byte* bytes, nint length, long offset);

    [LibraryImport("libc", EntryPoint = "lseek", SetLastError = true)]
    internal static partial long Seek(SafeFileHandle file, long offset, int whence);
}
