using System.CommandLine;
using System.Text;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The options that select keys, and the scan over their pages.</summary>
internal sealed class KeySelection
{
    // The maximum number of keys that a server returns per page. Large pages reduce the number of calls, and a call still takes only one or two milliseconds of
    // the server's time.
    private const int KeysPerPage = 4096;

    private static readonly CacheItemType[] s_types = Enum.GetValues<CacheItemType>();

    private readonly Option<string?> _prefix = new("--prefix") { Description = "Only keys with this prefix (default: all)" };
    private readonly Option<bool> _hexPrefix = new("--hex-prefix") { Description = "The prefix is hexadecimal" };
    private readonly Option<CacheItemType?> _type = new("--type")
    {
        Description = $"Only items of this type: {string.Join(", ", s_types.Select(TypeName.Of))}",
        HelpName = "type",
        CustomParser = static result =>
        {
            string word = result.Tokens[0].Value;
            int found = Array.FindIndex(s_types, type => TypeName.Of(type) == word);
            if (found < 0)
            {
                result.AddError($"--type must be one of {string.Join(", ", s_types.Select(TypeName.Of))}, but is '{TerminalText.OfText(word)}'");
            }

            return found < 0 ? null : s_types[found];
        },
    };

    public void AddTo(Command command, bool withType = true)
    {
        command.Add(_prefix);
        command.Add(_hexPrefix);
        if (withType)
        {
            command.Add(_type);
        }
    }

    /// <summary>Passes the pages of a scan to a function, one after the other, until the scan ends or the function stops the scan.</summary>
    /// <param name="parsed">The parsed command.</param>
    /// <param name="cache">The cache.</param>
    /// <param name="read">Processes a page. Returns null to continue, or an error to stop the scan.</param>
    /// <param name="cancellation">Cancelled by Ctrl+C.</param>
    /// <returns>The error, or null if the scan was completed.</returns>
    /// <exception cref="ArgumentException">The prefix is not hexadecimal.</exception>
    public async Task<CacheError?> ReadAsync(
        ParseResult parsed,
        Cache cache,
        Func<IReadOnlyList<ScannedKey>, ValueTask<CacheError?>> read,
        CancellationToken cancellation)
    {
        string prefix = parsed.GetValue(_prefix) ?? "";
        byte[] bytes = parsed.GetValue(_hexPrefix) ? Hexadecimal.Parse(prefix, "--prefix") : Encoding.UTF8.GetBytes(prefix);
        ReadOnlyMemory<byte> cursor = default;
        do
        {
            CacheResult<KeyPage> answer =
                await cache.ScanKeysAsync(bytes, parsed.GetValue(_type), cursor, KeysPerPage, cancellation).ConfigureAwait(false);
            cancellation.ThrowIfCancellationRequested();
            if (!answer.IsSuccess)
            {
                return answer.Error;
            }

            if (await read(answer.Value.Keys).ConfigureAwait(false) is { } failure)
            {
                return failure;
            }

            cursor = answer.Value.Cursor;
        }
        while (!cursor.IsEmpty);
        return null;
    }
}
