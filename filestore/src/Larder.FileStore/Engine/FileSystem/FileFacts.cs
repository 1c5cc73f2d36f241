using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// What the system says of a file in one call: which one it is, how many names it has, how long it is. On Linux by statx, whose layout is
/// the same on every processor; on macOS and Windows (FileFacts.Elsewhere.cs) by what they have; on any other system which one it is stays 0,
/// and a replaced file is noticed by its first line and its length alone.
/// </summary>
internal readonly unsafe partial record struct FileFacts(ulong Inode, ulong Device, uint Links, long Length)
{
    private const int CurrentFolder = -100;
    private const int EmptyPath = 0x1000;
    private const uint LinksInodeAndSize = 0x4 | 0x100 | 0x200;

    /// <summary>Bytes of struct statx.</summary>
    private const int Bytes = 256;
    private static readonly bool HasStatX = OperatingSystem.IsLinux() && Probe();

    internal bool IsSame(in FileFacts other) => Inode == other.Inode && Device == other.Device;

    /// <summary>
    /// Whether the file at <paramref name="systemPath"/> is this one. It follows symbolic links as they are now, and so notices that a folder was switched,
    /// moved or replaced. Where the system does not identify files, whether there is a file.
    /// </summary>
    internal bool IsAt(byte[] systemPath) => TryOfPath(systemPath, out FileFacts now) && IsSame(now);

    /// <summary>The path as the system takes it: UTF-8 and a zero.</summary>
    internal static byte[] SystemPath(string path) => [.. Encoding.UTF8.GetBytes(path), 0];

    /// <summary>Of the file at <paramref name="systemPath"/>; false where there is none.</summary>
    internal static bool TryOfPath(byte[] systemPath, out FileFacts facts)
    {
        if (HasStatX)
        {
            fixed (byte* path = systemPath)
            {
                return TryStatX(CurrentFolder, path, 0, out facts);
            }
        }
        if (TryElsewhere(systemPath, out facts))
        {
            return true;
        }
        FileInfo file = new(TextPath(systemPath));
        facts = file.Exists ? new FileFacts(0, 0, 1, file.Length) : default;
        return file.Exists;
    }

    internal static FileFacts OfOpen(SafeFileHandle file)
    {
        if (HasStatX)
        {
            byte nothing = 0;
            if (TryStatX((int)file.DangerousGetHandle(), &nothing, EmptyPath, out FileFacts facts))
            {
                GC.KeepAlive(file);
                return facts;
            }
        }
        return TryElsewhere(file, out FileFacts here) ? here : new FileFacts(0, 0, 1, RandomAccess.GetLength(file));
    }

    private static string TextPath(byte[] systemPath) => Encoding.UTF8.GetString(systemPath.AsSpan(0, systemPath.Length - 1));

    private static bool TryStatX(int folder, byte* path, int flags, out FileFacts facts)
    {
        byte* buffer = stackalloc byte[Bytes];
        if (NativeMethods.StatX(folder, path, flags, LinksInodeAndSize, buffer) != 0)
        {
            facts = default;
            return false;
        }
        facts = new FileFacts(*(ulong*)(buffer + 32), *(ulong*)(buffer + 136), *(uint*)(buffer + 16), *(long*)(buffer + 40));
        return true;
    }

    private static bool Probe()
    {
        try
        {
            fixed (byte* root = "/\0"u8)
            {
                return TryStatX(CurrentFolder, root, 0, out _);
            }
        }
        catch (EntryPointNotFoundException)
        {
            return false;
        }
    }
}
