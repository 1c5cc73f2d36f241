namespace Larder.Server.Security;

/// <summary>A file with secrets, or digests of them: replaced whole, for its owner alone unless it was otherwise.</summary>
internal static class OwnFile
{
    /// <summary>What a file's links lead to: that is replaced, and not the link.</summary>
    public static string TargetOf(string path) =>
        (File.Exists(path) ? File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName : null) ?? Path.GetFullPath(path);

    /// <summary>Reads a file of at most <paramref name="most"/> bytes.</summary>
    /// <param name="option">The option that names it, for errors.</param>
    /// <param name="path">Where it is.</param>
    /// <param name="most">What it may have.</param>
    /// <param name="tooLarge">What an error says of it where it has more.</param>
    /// <exception cref="ServerOptionsException">It cannot be read, or is too large.</exception>
    public static byte[] Read(string option, string path, int most, string tooLarge)
    {
        try
        {
            using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            // One more than the most. A device or a pipe says no length, and a file may grow as it is read: it is read to its end, whatever it said.
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

    /// <summary>Puts other bytes in a file's place.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
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
