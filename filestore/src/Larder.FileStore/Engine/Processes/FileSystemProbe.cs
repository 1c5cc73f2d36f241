namespace Larder.FileStore.Engine;

/// <summary>Detects whether a folder's file system gives the processes of this machine coherent shared memory and locks on one file.</summary>
internal static unsafe class FileSystemProbe
{
    /// <summary>
    /// The magic numbers of statfs(2) for local file systems known to be coherent: ext, xfs, btrfs, tmpfs, ramfs, overlay, f2fs, zfs, bcachefs, jfs,
    /// reiserfs. All others (nfs, smb, 9p, fuse, virtiofs, ceph …) are polled.
    /// </summary>
    private static readonly HashSet<uint> LocalMagics =
    [
        0xEF53, 0x58465342, 0x9123683E, 0x01021994, 0x858458F6, 0x794C7630, 0xF2F52010, 0x2FC12FC1, 0xCA451A4E, 0x3153464A, 0x52654973,
    ];

    private static readonly HashSet<string> LocalNames = new(StringComparer.OrdinalIgnoreCase) { "apfs", "hfs" };

    internal static bool IsCoherent(string folder)
    {
        if (OperatingSystem.IsLinux())
        {
            byte* status = stackalloc byte[512];
            return NativeMethods.FileSystemStatus(folder, status) == 0 && LocalMagics.Contains(*(uint*)status);
        }
        return OperatingSystem.IsMacOS() && LocalNames.Contains(new DriveInfo(folder).DriveFormat);
    }
}
