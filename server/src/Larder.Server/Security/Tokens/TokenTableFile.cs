namespace Larder.Server.Security;

/// <summary>A file of tokens, read whole or not at all.</summary>
internal static class TokenTableFile
{
    /// <summary>Bytes of the largest file: some 30,000 tokens.</summary>
    public const int MaxBytes = 8 << 20;

    /// <summary>Reads a file.</summary>
    /// <exception cref="ServerOptionsException">It cannot be read, is too large, or is no file of tokens; the text says where, and has no secret.</exception>
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

    /// <summary>Reads a file's bytes.</summary>
    /// <exception cref="ServerOptionsException">It cannot be read, or is too large.</exception>
    public static byte[] ReadBytes(string option, string path) =>
        OwnFile.Read(option, path, MaxBytes, $"is larger than {MaxBytes} bytes, the most that a file of tokens may have");

    /// <summary>Whether others than its owner may read or change it; false where it is not there.</summary>
    public static bool IsOpenToOthers(string path)
    {
        const UnixFileMode Others = UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.OtherRead | UnixFileMode.OtherWrite;
        try
        {
            return !OperatingSystem.IsWindows() && (File.GetUnixFileMode(path) & Others) != 0;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // It was just read, and is another's or gone by now: that is said when it is read again.
            return false;
        }
    }
}
