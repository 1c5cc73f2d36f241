namespace Larder.Cli;

/// <summary>Reads a value from standard input. It is needed for large values, because the system limits a word of the command line to 128 KB.</summary>
internal static class StandardInput
{
    /// <summary>The word that stands for standard input.</summary>
    public const string Word = "-";

    // The largest request that a server accepts (LIM-1). No value can be larger, regardless of the item size limit.
    public const int MaxBytes = 11_010_048;

    /// <summary>Reads standard input to its end.</summary>
    /// <exception cref="ArgumentException">The input exceeds the maximum request size.</exception>
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
                throw new ArgumentException($"standard input exceeds {MaxBytes} bytes, the maximum size of a request");
            }

            value.Write(part, 0, read);
        }

        return value.ToArray();
    }
}
