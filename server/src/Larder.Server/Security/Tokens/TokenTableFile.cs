namespace Larder.Server.Security;

/// <summary>Reads token files. A file is read completely or not at all.</summary>
internal static class TokenTableFile
{
    /// <summary>The maximum file size in bytes, which is enough for about 30,000 tokens.</summary>
    public const int MaxBytes = 8 << 20;

    /// <summary>Reads and parses a file.</summary>
    /// <exception cref="ServerOptionsException">
    /// The file cannot be read, is too large or is invalid. The message contains the location of the error and no secrets.
    /// </exception>
    public static TokenTable Read(string option, string path, TokenKeys? keys = null)
    {
        try
        {
            return TokenTableReader.Read(ReadBytes(option, path), keys);
        }
        catch (FormatException error)
        {
            throw new ServerOptionsException($"{option} {path}: {error.Message}", error);
        }
    }

    /// <summary>Reads the bytes of a file.</summary>
    /// <exception cref="ServerOptionsException">The file cannot be read or is too large.</exception>
    public static byte[] ReadBytes(string option, string path) =>
        PrivateFile.Read(option, path, MaxBytes, $"exceeds {MaxBytes} bytes, the limit of a token file");

    /// <summary>Returns whether the group or other users may read or change the file. Returns false if the file does not exist.</summary>
    public static bool IsOpenToOthers(string path)
    {
        const UnixFileMode Others = UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.OtherRead | UnixFileMode.OtherWrite;
        try
        {
            return !OperatingSystem.IsWindows() && (File.GetUnixFileMode(path) & Others) != 0;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The file was readable before, so it was removed or its owner was changed in the meantime. The next read reports this.
            return false;
        }
    }
}
