namespace Larder.Server.Security;

/// <summary>A file with secrets, or digests of them: replaced whole, for its owner alone unless it was otherwise.</summary>
internal static class OwnFile
{
    /// <summary>What a file's links lead to: that is replaced, and not the link.</summary>
    public static string TargetOf(string path) =>
        (File.Exists(path) ? File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName : null) ?? Path.GetFullPath(path);

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
