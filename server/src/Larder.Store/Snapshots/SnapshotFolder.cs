using System.Runtime.InteropServices;

namespace Larder.Store.Snapshots;

/// <summary>Operations on the folder of a snapshot. A rename in the folder survives a power failure only after the folder is synchronized to disk.</summary>
internal static partial class SnapshotFolder
{
    private const int ReadOnly = 0;

    // Only the server's user may read the file, because stored data may be secret.
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// Writes a folder's directory entries to disk, if the operating system supports this. If this fails, the entries exist, but a power failure may remove
    /// them.
    /// </summary>
    public static void Synchronise(string folder)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        int descriptor = Open(folder, ReadOnly);
        if (descriptor >= 0)
        {
            _ = Synchronise(descriptor);
            _ = Close(descriptor);
        }
    }

    /// <summary>Opens a file for writing. No other process can open it, and only its owner can read it.</summary>
    public static FileStream Create(string path, FileMode mode)
    {
        FileStreamOptions options = new() { Mode = mode, Access = FileAccess.Write, Share = FileShare.None, BufferSize = 0 };
        if (!OperatingSystem.IsWindows() && mode != FileMode.Open)
        {
            options.UnixCreateMode = OwnerOnly;
        }

        return new FileStream(path, options);
    }

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync")]
    private static partial int Synchronise(int descriptor);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int descriptor);
}
