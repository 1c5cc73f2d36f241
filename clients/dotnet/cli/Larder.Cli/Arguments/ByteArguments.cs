using System.CommandLine;
using System.Text;
using Larder.Client;

namespace Larder.Cli;

/// <summary>Reads bytes from the command line or from standard input. A word of the command line is text, or hexadecimal if an option requests it.</summary>
internal static class ByteArguments
{
    public static Argument<string?> Value() => new("value")
    {
        Description = "The value; pass - or omit it to read the value unchanged from standard input",
        Arity = ArgumentArity.ZeroOrOne,
    };

    /// <summary>Reads a value. If the word is omitted and standard input is redirected, reads the value from standard input.</summary>
    /// <exception cref="ArgumentException">
    /// The value is missing and standard input is not redirected, the word is not valid hexadecimal, or the value exceeds the maximum request size.
    /// </exception>
    public static Task<CacheBytes> ReadValueAsync(string? word, bool isHex, CancellationToken cancellation) => word is null && !Console.IsInputRedirected
        ? throw new ArgumentException("the value is missing; pass it as an argument or pipe it to standard input")
        : ReadAsync(word ?? StandardInput.Word, isHex, "value", cancellation);

    /// <summary>Reads bytes.</summary>
    /// <param name="word">The word of the command line, or <see cref="StandardInput.Word"/> to read standard input.</param>
    /// <param name="isHex">Whether the word is hexadecimal.</param>
    /// <param name="name">The name of the argument for error messages.</param>
    /// <param name="cancellation">Cancelled by Ctrl+C.</param>
    /// <exception cref="ArgumentException">The word is not valid hexadecimal, or the bytes exceed the maximum request size.</exception>
    public static async Task<CacheBytes> ReadAsync(string word, bool isHex, string name, CancellationToken cancellation)
    {
        if (word != StandardInput.Word)
        {
            return isHex ? Hexadecimal.Parse(word, name) : word;
        }

        byte[] piped = await StandardInput.ReadAsync(cancellation).ConfigureAwait(false);
        return isHex ? Hexadecimal.Parse(Encoding.ASCII.GetString(piped).Trim(), name) : piped;
    }
}
