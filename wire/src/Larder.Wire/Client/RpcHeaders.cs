namespace Larder.Wire;

/// <summary>
/// The metadata of calls. Immutable: create an instance once and share it among many calls. If calls use the same instance, a channel encodes it only once.
/// </summary>
public sealed class RpcHeaders
{
    private readonly KeyValuePair<string, string>[] _entries;

    /// <summary>Creates metadata from names and values, which are sent in this order.</summary>
    /// <param name="entries">The entries: names in lower case, values in printable ASCII.</param>
    /// <exception cref="ArgumentException">A name or a value is not allowed in a header.</exception>
    public RpcHeaders(params IEnumerable<KeyValuePair<string, string>> entries)
    {
        ArgumentNullException.ThrowIfNull(entries);
        _entries = [.. entries];
        foreach (KeyValuePair<string, string> entry in _entries)
        {
            Check(entry);
        }
    }

    /// <summary>Gets empty metadata.</summary>
    public static RpcHeaders Empty { get; } = new();

    /// <summary>Gets the names and values in order.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Entries => _entries;

    /// <summary>Returns a copy with one more entry.</summary>
    /// <exception cref="ArgumentException">The name or the value is not allowed in a header.</exception>
    public RpcHeaders With(string name, string value) => new([.. _entries, new(name, value)]);

    /// <summary>Returns whether a text is a valid name. A valid name has at least one character, and contains only a–z, 0–9, '-', '_' and '.'.</summary>
    public static bool IsName(string text) =>
        text.Length > 0 && text.All(static c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '-' or '_' or '.');

    /// <summary>Returns whether a text is a valid value. A valid value is empty or contains only printable ASCII.</summary>
    public static bool IsValue(string? text) => text is not null && text.All(static c => c is >= ' ' and <= '~');

    private static void Check(KeyValuePair<string, string> entry)
    {
        if (!IsName(entry.Key))
        {
            throw new ArgumentException($"Invalid metadata name '{entry.Key}'; use only a-z, 0-9, '-', '_' and '.'.", nameof(entry));
        }

        if (!IsValue(entry.Value))
        {
            // The value may be a secret, so the message does not contain it.
            throw new ArgumentException($"The value of metadata '{entry.Key}' contains invalid characters; use only printable ASCII.", nameof(entry));
        }
    }
}
