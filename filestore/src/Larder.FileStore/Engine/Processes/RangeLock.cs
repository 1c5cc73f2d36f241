using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// Locks on single bytes of the sidecar. Each lock belongs to an open file instead of a process (open file description locks of Linux). Two caches of one
/// process therefore exclude each other. The kernel releases the locks when the process ends or is killed.
/// </summary>
internal static unsafe class RangeLock
{
    /// <summary>The byte on which each cache that has the file open holds a shared lock.</summary>
    internal const long Alive = 1;

    /// <summary>The byte that a process locks while it compacts the file.</summary>
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

    /// <summary>Returns whether another open file holds the byte, shared or exclusively.</summary>
    internal static bool IsHeldElsewhere(SafeFileHandle file, long at)
    {
        Range range = new() { Type = Write, Start = at, Length = 1 };
        return IsSupported && NativeMethods.FileControl(file, Get, &range) == 0 && range.Type != Unlock;
    }

    /// <summary>
    /// Tries to lock the byte. Returns false if another open file holds the lock. If the system does not support these locks, every request succeeds, because
    /// the locks only avoid duplicate work.
    /// </summary>
    private static bool TrySet(SafeFileHandle file, long at, short type)
    {
        Range range = new() { Type = type, Start = at, Length = 1 };
        return !IsSupported || NativeMethods.FileControl(file, Set, &range) == 0 || Marshal.GetLastPInvokeError() is not (Again or AccessDenied);
    }

    /// <summary>struct flock on 64-bit Linux.</summary>
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
