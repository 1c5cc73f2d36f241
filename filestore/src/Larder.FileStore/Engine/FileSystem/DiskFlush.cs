using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// Calls fsync and throws if it fails. .NET's own methods (RandomAccess.FlushToDisk, FileStream.Flush(true)) return normally even if the disk reports EIO, as
/// fault injection showed. Therefore .NET's methods would report a write as durable although it was not flushed.
/// </summary>
internal static class DiskFlush
{
    private const int NotSupportedHere = 22;

    /// <summary>The fcntl command F_FULLFSYNC. It is needed because fsync on macOS leaves the data in the drive's cache. Not tested on macOS.</summary>
    private const int FullFlush = 51;

    internal static void File(SafeFileHandle file)
    {
        if (OperatingSystem.IsWindows())
        {
            RandomAccess.FlushToDisk(file);
        }
        else
        {
            Flush((int)file.DangerousGetHandle());
            GC.KeepAlive(file);
        }
    }

    /// <summary>Flushes the folder of a file to make a rename durable. On Unix, flushing the file is not enough.</summary>
    internal static void Folder(string folder)
    {
        int descriptor = OperatingSystem.IsWindows() ? -1 : NativeMethods.Open(folder, NativeMethods.CloseOnExec);
        if (descriptor >= 0)
        {
            using SafeFileHandle handle = new(descriptor, ownsHandle: true);
            Flush(descriptor);
        }
    }

    private static void Flush(int descriptor)
    {
        // If the file system does not support F_FULLFSYNC, as some network file systems do not, fall back to fsync.
        if (OperatingSystem.IsMacOS() && NativeMethods.FileControl(descriptor, FullFlush) == 0)
        {
            return;
        }
        if (NativeMethods.Flush(descriptor) != 0 && Marshal.GetLastPInvokeError() != NotSupportedHere)
        {
            throw new IOException($"Cannot flush the data to disk: {Marshal.GetLastPInvokeErrorMessage()}.");
        }
    }
}
