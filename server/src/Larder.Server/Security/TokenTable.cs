namespace Larder.Server.Security;

/// <summary>What a file of tokens says, read whole; never changed.</summary>
internal sealed class TokenTable
{
    private readonly Dictionary<TokenDigest, KnownToken> _byDigest;

    /// <param name="entries">The entries; no digest is in two places.</param>
    public TokenTable(IReadOnlyList<TokenEntry> entries)
    {
        Entries = entries;
        _byDigest = entries.SelectMany(static entry => entry.Digests.Select(digest => new KnownToken(digest, entry))).ToDictionary(static each => each.Digest);
    }

    /// <summary>In the file's order.</summary>
    public IReadOnlyList<TokenEntry> Entries { get; }

    /// <summary>The token of a digest, expired or not; null: it is nobody's.</summary>
    public KnownToken? Find(in TokenDigest digest) => _byDigest.GetValueOrDefault(digest);
}
