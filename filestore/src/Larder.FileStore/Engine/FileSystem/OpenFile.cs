using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// Opens files without the advisory lock that .NET takes on each file it opens (flock LOCK_SH, even with FileShare.ReadWrite), which would block our own lock
/// forever. On Windows the write lock is a separate file, so .NET's own method is used.
/// </summary>
internal static class OpenFile
{
    /// <summary>Opens the file for reading and writing, or only for reading. Returns null if the file does not exist.</summary>
    internal static SafeFileHandle? Try(string path, bool toRead = false)
    {
        if (OperatingSystem.IsWindows())
        {
            return File.Exists(path)
                ? File.OpenHandle(path, FileMode.Open, toRead ? FileAccess.Read : FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete)
                : null;
        }
        int descriptor = NativeMethods.Open(path, (toRead ? 0 : NativeMethods.ReadWrite) | NativeMethods.CloseOnExec);
        if (descriptor >= 0)
        {
            return new SafeFileHandle(descriptor, ownsHandle: true);
        }
        int error = Marshal.GetLastPInvokeError();
        if (error == NativeMethods.NoSuchFile)
        {
            return null;
        }
        throw new DistributedFileStoreCacheException(
            $"The file {path} cannot be opened for reading{(toRead ? "" : " and writing")}: {Marshal.GetPInvokeErrorMessage(error)}. "
            + $"Give the account that runs this process "
            + $"{(toRead ? "read access to it" : "read and write access to it and to its folder, or open it with ReadOnly")}.",
        new IOException(path));
    }

    /// <summary>Creates an empty file that only its owner can read and write. Does nothing if the file exists.</summary>
    internal static void Create(string path)
    {
        try
        {
            CreateNew(path).Dispose();
        }
        catch (IOException) when (File.Exists(path))
        {
            // Another process created the file first; use that file.
        }
        catch (UnauthorizedAccessException e)
        {
            throw new DistributedFileStoreCacheException(
                $"The file {path} cannot be created: {e.Message} Give the account that runs this process write access to the folder, or open the cache with "
                    + $"ReadOnly.",
                e);
        }
    }

    internal static FileStream CreateNew(string path)
    {
        FileStreamOptions options = new()
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.ReadWrite,
            Share = FileShare.ReadWrite | FileShare.Delete,
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }
        return new FileStream(path, options);
    }
}
