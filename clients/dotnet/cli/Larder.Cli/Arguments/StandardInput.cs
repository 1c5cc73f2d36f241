namespace Larder.Cli;

/// <summary>A value that comes by a pipe or a file instead of the command line, which the system bounds to 128 KB a word.</summary>
internal static class StandardInput
{
    /// <summary>The word that stands for it.</summary>
    public const string Word = "-";

    // The largest request that a server takes (LIM-1's messages): no value is larger, whatever the limits of items.
    public const int MaxBytes = 11_010_048;

    /// <summary>All of it.</summary>
    /// <exception cref="ArgumentException">It is more than any request may have.</exception>
    public static async Task<byte[]> ReadAsync(CancellationToken cancellation)
    {
        using Stream input = Console.OpenStandardInput();
        using MemoryStream value = new();
        byte[] part = new byte[64 * 1024];
        int read;
        while ((read = await input.ReadAsync(part, cancellation).ConfigureAwait(false)) > 0)
        {
            if (value.Length + read > MaxBytes)
            {
                throw new ArgumentException($"standard input has more than {MaxBytes} bytes, which no request may have");
            }

            value.Write(part, 0, read);
        }

        return value.ToArray();
    }
}
