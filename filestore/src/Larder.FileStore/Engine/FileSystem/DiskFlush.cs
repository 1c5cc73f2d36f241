using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// fsync that reports its failure. .NET's own (RandomAccess.FlushToDisk, FileStream.Flush(true)) returns as if all were well where the
/// disk answers EIO: found by fault injection, and a write must not be claimed then.
/// </summary>
internal static class DiskFlush
{
    private const int NotSupportedHere = 22;

    /// <summary>F_FULLFSYNC: on macOS fsync alone leaves the data in the drive's own cache. Untested here.</summary>
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

    /// <summary>Makes a rename durable: on Unix the folder has to be flushed as well as the file.</summary>
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
        // A file system that does not know it, such as a network's, is asked as any other.
        if (OperatingSystem.IsMacOS() && NativeMethods.FileControl(descriptor, FullFlush) == 0)
        {
            return;
        }
        if (NativeMethods.Flush(descriptor) != 0 && Marshal.GetLastPInvokeError() != NotSupportedHere)
        {
            throw new IOException($"The disk did not take the data: {Marshal.GetLastPInvokeErrorMessage()}.");
        }
    }
}
