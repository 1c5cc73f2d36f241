using System.CommandLine;
using System.Text;
using Larder.Client;

namespace Larder.Cli;

/// <summary>Bytes as they are given: by a word, in hexadecimal where an option says so, or by standard input.</summary>
internal static class ByteArguments
{
    /// <summary>The argument that gives a value.</summary>
    public static Argument<string?> Value() => new("value")
    {
        Description = "The value; - or left out: standard input, whole and as it is",
        Arity = ArgumentArity.ZeroOrOne,
    };

    /// <summary>Reads a value, which may be left out where it is piped in.</summary>
    /// <exception cref="ArgumentException">It is left out and there is no pipe, no hexadecimal, or more than any request may have.</exception>
    public static Task<CacheBytes> ReadValueAsync(string? word, bool isHex, CancellationToken cancellation) => word is null && !Console.IsInputRedirected
        ? throw new ArgumentException("value: give it, or - and pipe it in")
        : ReadAsync(word ?? StandardInput.Word, isHex, "value", cancellation);

    /// <summary>Reads them.</summary>
    /// <param name="word">The word; <see cref="StandardInput.Word"/>: what is piped in.</param>
    /// <param name="isHex">Whether they are in hexadecimal.</param>
    /// <param name="name">What they are, where they are refused.</param>
    /// <param name="cancellation">Ctrl+C.</param>
    /// <exception cref="ArgumentException">They are no hexadecimal, or more than any request may have.</exception>
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
