using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// Gets the facts on macOS (stat with 64-bit inodes) and on Windows (GetFileInformationByHandle). Neither variant is covered by this project's tests.
/// </summary>
internal readonly unsafe partial record struct FileFacts
{
    /// <summary>
    /// Whether the processor is arm64. On arm64, macOS has only the functions with 64-bit inodes. On x64, these functions have the suffix $INODE64.
    /// </summary>
    private static readonly bool IsArm = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    private static bool TryElsewhere(byte[] systemPath, out FileFacts facts)
    {
        facts = default;
        if (OperatingSystem.IsMacOS())
        {
            byte* buffer = stackalloc byte[Bytes];
            fixed (byte* path = systemPath)
            {
                return (IsArm ? NativeMethods.AppleStat(path, buffer) : NativeMethods.AppleStat64(path, buffer)) == 0 && TryApple(buffer, out facts);
            }
        }
        if (!OperatingSystem.IsWindows() || !File.Exists(TextPath(systemPath)))
        {
            return false;
        }
        try
        {
            using SafeFileHandle file = File.OpenHandle(TextPath(systemPath), share: FileShare.ReadWrite | FileShare.Delete);
            return TryWindows(file, out facts);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static bool TryElsewhere(SafeFileHandle file, out FileFacts facts)
    {
        facts = default;
        if (OperatingSystem.IsWindows())
        {
            return TryWindows(file, out facts);
        }
        if (!OperatingSystem.IsMacOS())
        {
            return false;
        }
        byte* buffer = stackalloc byte[Bytes];
        int descriptor = (int)file.DangerousGetHandle();
        bool isKnown = (IsArm ? NativeMethods.AppleStatOfOpen(descriptor, buffer) : NativeMethods.AppleStat64OfOpen(descriptor, buffer)) == 0;
        GC.KeepAlive(file);
        return isKnown && TryApple(buffer, out facts);
    }

    // struct stat with 64-bit inodes: st_dev at 0, st_nlink at 6, st_ino at 8, st_size at 96.
    private static bool TryApple(byte* stat, out FileFacts facts)
    {
        facts = new FileFacts(*(ulong*)(stat + 8), *(uint*)stat, *(ushort*)(stat + 6), *(long*)(stat + 96));
        return true;
    }

    // BY_HANDLE_FILE_INFORMATION: volume at 28, halves of the size at 32 and 36, links at 40, halves of the file index at 44 and 48.
    private static bool TryWindows(SafeFileHandle file, out FileFacts facts)
    {
        byte* of = stackalloc byte[Bytes];
        bool isKnown = NativeMethods.GetFileInformationByHandle(file, of);
        facts = isKnown
            ? new FileFacts(
                ((ulong)*(uint*)(of + 44) << 32) | *(uint*)(of + 48),
                *(uint*)(of + 28),
                *(uint*)(of + 40),
                ((long)*(uint*)(of + 32) << 32) | *(uint*)(of + 36))
            : default;
        return isKnown;
    }
}
