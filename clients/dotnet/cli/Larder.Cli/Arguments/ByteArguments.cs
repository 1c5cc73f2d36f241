using System.CommandLine;
using System.Text;
using Larder.Client;

namespace Larder.Cli;

/// <summary>Bytes from the command line: a word, hexadecimal if an option requests it, or standard input.</summary>
internal static class ByteArguments
{
    public static Argument<string?> Value() => new("value")
    {
        Description = "The value; if it is - or missing, standard input is read unchanged",
        Arity = ArgumentArity.ZeroOrOne,
    };

    /// <summary>Reads a value, which may be omitted if standard input is a pipe.</summary>
    /// <exception cref="ArgumentException">
    /// The value is missing and there is no pipe, the hexadecimal is invalid, or the value exceeds the maximum request size.
    /// </exception>
    public static Task<CacheBytes> ReadValueAsync(string? word, bool isHex, CancellationToken cancellation) => word is null && !Console.IsInputRedirected
        ? throw new ArgumentException("the value is missing; pass it, or pass - and pipe it in")
        : ReadAsync(word ?? StandardInput.Word, isHex, "value", cancellation);

    /// <summary>Reads bytes.</summary>
    /// <param name="word">The word, or <see cref="StandardInput.Word"/> for standard input.</param>
    /// <param name="isHex">Whether the word is hexadecimal.</param>
    /// <param name="name">The name for error messages.</param>
    /// <param name="cancellation">Cancelled by Ctrl+C.</param>
    /// <exception cref="ArgumentException">The hexadecimal is invalid, or the bytes exceed the maximum request size.</exception>
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
