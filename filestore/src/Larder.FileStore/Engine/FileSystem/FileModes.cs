using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>The access modes of the cache's files on Unix. On Windows the access rights of the folder are inherited.</summary>
internal static class FileModes
{
    /// <summary>
    /// Sets the mode of a file that will replace <paramref name="path"/>. Uses the mode of the existing file if <paramref name="mode"/> is null.
    /// </summary>
    internal static void Apply(SafeFileHandle file, string path, UnixFileMode? mode)
    {
        if (!OperatingSystem.IsWindows() && (mode ?? ModeOf(path)) is { } wanted)
        {
            File.SetUnixFileMode(file, wanted);
        }
    }

    /// <summary>Sets the requested mode of an existing file if the caller owns the file.</summary>
    internal static void Apply(string path, UnixFileMode? mode)
    {
        if (OperatingSystem.IsWindows() || mode is not { } wanted || ModeOf(path) == wanted)
        {
            return;
        }
        try
        {
            File.SetUnixFileMode(path, wanted);
        }
        catch (Exception e) when (e is UnauthorizedAccessException or IOException)
        {
            // The file belongs to another user, whose processes set its mode.
        }
    }

    private static UnixFileMode? ModeOf(string path)
    {
        if (OperatingSystem.IsWindows() || !File.Exists(path))
        {
            return null;
        }
        return File.GetUnixFileMode(path);
    }
}
