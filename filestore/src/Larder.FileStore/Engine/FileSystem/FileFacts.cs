using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// The identity, number of links and length of a file, obtained with one system call. Linux uses statx, whose layout is the same on every processor. macOS and
/// Windows use their own functions (FileFacts.Elsewhere.cs). On any other system the identity stays 0, and a replaced file is detected only by its first line
/// and its length.
/// </summary>
internal readonly unsafe partial record struct FileFacts(ulong Inode, ulong Device, uint Links, long Length)
{
    private const int CurrentFolder = -100;
    private const int EmptyPath = 0x1000;
    private const uint LinksInodeAndSize = 0x4 | 0x100 | 0x200;

    /// <summary>The size of struct statx, in bytes.</summary>
    private const int Bytes = 256;
    private static readonly bool HasStatX = OperatingSystem.IsLinux() && Probe();

    internal bool IsSame(in FileFacts other) => Inode == other.Inode && Device == other.Device;

    /// <summary>
    /// Returns whether the file at <paramref name="systemPath"/> is this file. Symbolic links are resolved again, so a replaced, moved or switched folder is
    /// detected. If the system does not identify files, returns whether a file exists.
    /// </summary>
    internal bool IsAt(byte[] systemPath) => TryOfPath(systemPath, out FileFacts now) && IsSame(now);

    /// <summary>Returns the path as the operating system expects it: UTF-8 with a terminating zero.</summary>
    internal static byte[] SystemPath(string path) => [.. Encoding.UTF8.GetBytes(path), 0];

    /// <summary>Gets the facts of the file at <paramref name="systemPath"/>. Returns false if the file does not exist.</summary>
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
