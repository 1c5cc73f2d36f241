using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>Who may read and write the cache's files (Unix; on Windows the folder's rights are inherited).</summary>
internal static class FileModes
{
    /// <summary>
    /// Gives a file that is to take the place of <paramref name="path"/> the mode asked for, exactly, or else the mode of the one that is there.
    /// </summary>
    internal static void Apply(SafeFileHandle file, string path, UnixFileMode? mode)
    {
        if (!OperatingSystem.IsWindows() && (mode ?? ModeOf(path)) is { } wanted)
        {
            File.SetUnixFileMode(file, wanted);
        }
    }

    /// <summary>Gives an existing file the mode asked for, if its owner is the caller.</summary>
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
            // Another user's file, which that user's processes give its mode.
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
