using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// Locks on single bytes of the sidecar that belong to an open file and not to a process (Linux: open file description locks): two caches
/// of one process exclude each other, and the kernel lets go of them when their process ends, however it ends.
/// </summary>
internal static unsafe class RangeLock
{
    /// <summary>Shared by all that have the cache open.</summary>
    internal const long Alive = 1;

    /// <summary>Held by the compactor.</summary>
    internal const long Compactor = 2;

    private const int Get = 36;
    private const int Set = 37;
    private const short Read = 0;
    private const short Write = 1;
    private const short Unlock = 2;
    private const int Again = 11;
    private const int AccessDenied = 13;

    internal static bool IsSupported => OperatingSystem.IsLinux() && nint.Size == 8;

    internal static void Share(SafeFileHandle file, long at) => TrySet(file, at, Read);

    internal static bool TryTake(SafeFileHandle file, long at) => TrySet(file, at, Write);

    internal static void Release(SafeFileHandle file, long at) => TrySet(file, at, Unlock);

    /// <summary>Whether another open file holds the byte, shared or not.</summary>
    internal static bool IsHeldElsewhere(SafeFileHandle file, long at)
    {
        Range range = new() { Type = Write, Start = at, Length = 1 };
        return IsSupported && NativeMethods.FileControl(file, Get, &range) == 0 && range.Type != Unlock;
    }

    /// <summary>False where another holds it. Where the system has no such locks all are granted: they only spare work.</summary>
    private static bool TrySet(SafeFileHandle file, long at, short type)
    {
        Range range = new() { Type = type, Start = at, Length = 1 };
        return !IsSupported || NativeMethods.FileControl(file, Set, &range) == 0 || Marshal.GetLastPInvokeError() is not (Again or AccessDenied);
    }

    /// <summary>struct flock of 64-bit Linux.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct Range
    {
        internal short Type;
        internal short Whence;
        internal long Start;
        internal long Length;
        internal int Process;
    }
}
