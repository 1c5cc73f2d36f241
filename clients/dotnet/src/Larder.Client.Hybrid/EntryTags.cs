namespace Larder.Client;

/// <summary>The tags of an entry.</summary>
/// <param name="Names">The tags that the caller passed, without duplicates.</param>
/// <param name="Stored">The tags that the server stores: those of the caller with the prefix, and the tag of all entries.</param>
/// <param name="Invalid">The reason why the server cannot store the tags, or null.</param>
internal sealed record EntryTags(string[] Names, CacheBytes[] Stored, string? Invalid)
{
    /// <summary>The tag that removes all entries.</summary>
    public const string All = "*";

    // The server permits 128 tags of 1 to 1,024 bytes for an item (TAG-4). One of them is the tag of all entries.
    public const int Most = 127;
    public const int MostBytes = 1_024;

    /// <summary>Reads the tags of a call.</summary>
    /// <exception cref="ArgumentException">A tag is null, empty, white space or <c>*</c>.</exception>
    public static EntryTags Read(IEnumerable<string>? tags, string prefix, EntryTags none)
    {
        if (tags is null)
        {
            return none;
        }

        // A caller may pass an endless sequence.
        string[] names = [.. tags.Take(100_000).Distinct(StringComparer.Ordinal)];
        if (names.Length == 0)
        {
            return none;
        }

        foreach (string name in names)
        {
            if (string.IsNullOrWhiteSpace(name) || name == All)
            {
                throw new ArgumentException("A tag of an entry must contain other characters than white space, and must not be '*'.", nameof(tags));
            }
        }

        CacheBytes[] stored = [.. names.Take(Most).Select(name => Of(name, prefix)), .. none.Stored];
        string? invalid = names.Length > Most ? $"It has more than {Most} tags."
            : Array.TrueForAll(stored, CanStore) ? null
            : $"A tag is invalid Unicode text, or has more than {MostBytes} bytes together with the key prefix.";
        return new EntryTags(names, stored, invalid);
    }

    /// <summary>Returns the tags of an entry for which the caller passed none.</summary>
    public static EntryTags None(string prefix) => new([], [Of(All, prefix)], Invalid: null);

    /// <summary>Returns the tag that the server stores.</summary>
    public static CacheBytes Of(string name, string prefix) => prefix + name;

    /// <summary>Returns whether an item of the server can have a tag.</summary>
    public static bool CanStore(CacheBytes tag) => tag is { IsWellFormed: true, Length: <= MostBytes };
}
