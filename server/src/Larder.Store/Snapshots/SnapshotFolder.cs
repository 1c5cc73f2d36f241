using System.Runtime.InteropServices;

namespace Larder.Store.Snapshots;

/// <summary>The folder of a file: what was renamed in it is there after a power cut once it is synchronised.</summary>
internal static partial class SnapshotFolder
{
    private const int ReadOnly = 0;

    // What callers stored may be secret: for the server's user alone.
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Writes a folder's names to the disk, where the system has a way; where it fails, the names are there but for a power cut.</summary>
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

    /// <summary>Opens a file to write to, which no other process may have open and nobody but its owner may read.</summary>
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
