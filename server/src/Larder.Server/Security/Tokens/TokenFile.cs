namespace Larder.Server.Security;

/// <summary>A file whose first line is the server's token. Other users of the machine cannot see the token, unlike a command-line argument.</summary>
internal static class TokenFile
{
    // The maximum file size. A 256-bit token has 64 hexadecimal characters. If the file is more than a hundred times larger, the path is probably wrong.
    private const int MaxBytes = 8 * 1024;

    /// <summary>Reads the token. White space at both ends is removed.</summary>
    /// <param name="option">The option that names the file, for errors.</param>
    /// <param name="path">The path of the file.</param>
    /// <param name="content">The content of the file, for errors.</param>
    /// <exception cref="ServerOptionsException">The file cannot be read, is too large, or its first line is empty.</exception>
    public static string Read(string option, string path, string content = "token")
    {
        try
        {
            FileInfo file = new(path);
            if (file.Exists && file.Length > MaxBytes)
            {
                throw new ServerOptionsException($"{option} {path} must be one line of at most {MaxBytes} bytes, but has {file.Length} bytes");
            }

            string token = File.ReadLines(path).FirstOrDefault("").Trim();
            return token.Length > 0 ? token : throw new ServerOptionsException($"{option} {path} has an empty first line; write the {content} into it");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ServerOptionsException($"{option} {path} cannot be read: {error.Message}", error);
        }
    }
}
