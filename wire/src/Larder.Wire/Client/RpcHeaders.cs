namespace Larder.Wire;

/// <summary>
/// The metadata of a call. Immutable, made once and shared by many calls: a channel recognises the same instance and then has nothing to write.
/// </summary>
public sealed class RpcHeaders
{
    private readonly KeyValuePair<string, string>[] _entries;

    /// <summary>Metadata of these names and values, sent in this order.</summary>
    /// <param name="entries">Names in lower case; values of printable ASCII.</param>
    /// <exception cref="ArgumentException">A name or a value cannot travel in a header.</exception>
    public RpcHeaders(params IEnumerable<KeyValuePair<string, string>> entries)
    {
        ArgumentNullException.ThrowIfNull(entries);
        _entries = [.. entries];
        foreach (KeyValuePair<string, string> entry in _entries)
        {
            Check(entry);
        }
    }

    /// <summary>No metadata.</summary>
    public static RpcHeaders Empty { get; } = new();

    /// <summary>The names and values in order.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Entries => _entries;

    /// <summary>This metadata and one entry more.</summary>
    /// <exception cref="ArgumentException">The name or the value cannot travel in a header.</exception>
    public RpcHeaders With(string name, string value) => new([.. _entries, new(name, value)]);

    /// <summary>Whether a text can be a name: a–z, 0–9, '-', '_' and '.', at least one of them.</summary>
    public static bool IsName(string text) =>
        text.Length > 0 && text.All(static c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '-' or '_' or '.');

    /// <summary>Whether a text can be a value: printable ASCII; may be empty.</summary>
    public static bool IsValue(string? text) => text is not null && text.All(static c => c is >= ' ' and <= '~');

    private static void Check(KeyValuePair<string, string> entry)
    {
        if (!IsName(entry.Key))
        {
            throw new ArgumentException($"'{entry.Key}' is no name of metadata: a-z, 0-9, '-', '_' and '.' are.", nameof(entry));
        }

        if (!IsValue(entry.Value))
        {
            // The value may be a secret: it is not repeated.
            throw new ArgumentException($"The value of '{entry.Key}' has characters that cannot travel in a header; printable ASCII can.", nameof(entry));
        }
    }
}
