using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>Makes a rename durable: on Unix the folder has to be flushed as well as the file.</summary>
internal static class FolderFlush
{
    internal static void ToDisk(string folder)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }
        int descriptor = NativeMethods.Open(folder, NativeMethods.CloseOnExec);
        if (descriptor >= 0)
        {
            using SafeFileHandle handle = new(descriptor, ownsHandle: true);
            _ = NativeMethods.Flush(descriptor);
        }
    }
}
