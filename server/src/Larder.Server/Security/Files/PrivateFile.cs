namespace Larder.Server.Security;

/// <summary>
/// Reads and atomically replaces files that contain secrets or their digests. Only the owner can access a new file. An existing file keeps its permissions.
/// </summary>
internal static class PrivateFile
{
    /// <summary>Resolves the links of a path, so that the target is replaced instead of the link.</summary>
    public static string TargetOf(string path) =>
        (File.Exists(path) ? File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName : null) ?? Path.GetFullPath(path);

    /// <summary>Reads a file of at most <paramref name="most"/> bytes.</summary>
    /// <param name="option">The command-line option that sets the path, for error messages.</param>
    /// <param name="path">The path of the file.</param>
    /// <param name="most">The maximum size in bytes.</param>
    /// <param name="tooLarge">The error message if the file is larger.</param>
    /// <exception cref="ServerOptionsException">The file cannot be read or is too large.</exception>
    public static byte[] Read(string option, string path, int most, string tooLarge)
    {
        try
        {
            using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            // The reported length is only a hint for the buffer size, because devices and pipes report no length and a file may grow while it is read. The
            // buffer can grow to one byte more than the maximum, so that a file that is too large is detected.
            byte[] bytes = new byte[Math.Min(Math.Max(file.CanSeek ? file.Length : most, 4096), most) + 1];
            int length = file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            while (length == bytes.Length && length <= most)
            {
                Array.Resize(ref bytes, (int)Math.Min(2L * length, most + 1));
                length += file.ReadAtLeast(bytes.AsSpan(length), bytes.Length - length, throwOnEndOfStream: false);
            }

            return length <= most ? bytes[..length] : throw new ServerOptionsException($"{option} {path} {tooLarge}");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ServerOptionsException($"{option} {path} cannot be read: {error.Message}", error);
        }
    }

    /// <summary>Atomically replaces the content of a file.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Replace(string target, ReadOnlySpan<byte> bytes)
    {
        string aside = $"{target}.{Guid.NewGuid():N}";
        try
        {
            FileStreamOptions options = new() { Mode = FileMode.CreateNew, Access = FileAccess.Write };
            if (!OperatingSystem.IsWindows())
            {
                options.UnixCreateMode = File.Exists(target) ? File.GetUnixFileMode(target) : UnixFileMode.UserRead | UnixFileMode.UserWrite;
            }

            using (FileStream file = new(aside, options))
            {
                file.Write(bytes);
                file.Flush(flushToDisk: true);
            }

            File.Move(aside, target, overwrite: true);
        }
        finally
        {
            File.Delete(aside);
        }
    }
}
