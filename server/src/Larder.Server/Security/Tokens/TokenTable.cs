using System.Collections.Concurrent;

namespace Larder.Server.Security;

/// <summary>What a file of tokens says, and the keys by which others are signed, read whole; never changed.</summary>
internal sealed class TokenTable
{
    // Some 1 KB each, and 30 KB where its permissions are as many as it has room for. What is forgotten is verified again.
    private const int MaxSigned = 1_024;

    private readonly Dictionary<TokenDigest, KnownToken> _byDigest;
    private readonly Dictionary<string, TokenEntry> _byId;

    // Signed tokens that were verified by these entries and keys.
    private readonly ConcurrentDictionary<TokenDigest, KnownToken> _signed = new();

    /// <param name="entries">The entries; no digest is in two places.</param>
    /// <param name="keys">By which disposable tokens are signed; null: there are none.</param>
    public TokenTable(IReadOnlyList<TokenEntry> entries, TokenKeys? keys = null)
    {
        Entries = entries;
        Keys = keys;
        _byDigest = entries.SelectMany(static entry => entry.Digests.Select(digest => KnownToken.OfFile(entry, digest)))
            .ToDictionary(static each => each.Digest);
        _byId = entries.ToDictionary(static each => each.Id, StringComparer.Ordinal);
    }

    /// <summary>In the file's order.</summary>
    public IReadOnlyList<TokenEntry> Entries { get; }

    /// <summary>By which disposable tokens are signed; null: there are none.</summary>
    public TokenKeys? Keys { get; }

    /// <summary>Of every token that the file has.</summary>
    public IEnumerable<TokenDigest> Digests => _byDigest.Keys;

    /// <summary>Whether a token is of the file or signed by a key, though it has expired, or who asked for it is gone.</summary>
    public bool Knows(string token) =>
        Find(token) is not null || (Keys is not null && DisposableToken.IsOne(token) && DisposableToken.Verify(token, Keys) is not null);

    /// <summary>Who shows a token, expired or not; null: it is nobody's.</summary>
    public KnownToken? Find(string token) =>
        !TokenDigest.TryOf(token, out TokenDigest digest) ? null
        : Find(digest) ?? (Keys is not null && DisposableToken.IsOne(token) ? FindSigned(token, digest) : null);

    /// <summary>The token of the file that has a digest, expired or not; null: it is nobody's.</summary>
    public KnownToken? Find(in TokenDigest digest) => _byDigest.GetValueOrDefault(digest);

    /// <summary>Who a token is now that another table knew; null: it is nobody's any more.</summary>
    public KnownToken? Find(KnownToken known) =>
        known.Certificate is { } certificate ? Find(certificate)
        : known.Signed is { } token ? (Keys is null ? null : FindSigned(token, known.Digest)) : Find(known.Digest);

    /// <summary>Who shows a certificate and no token: the entry without a token that its first known name is the id of; null: it is nobody.</summary>
    public KnownToken? Find(ShownCertificate certificate) =>
        certificate.Names.Select(FindId).FirstOrDefault(static entry => entry is { Digests.Count: 0 }) is { } entry
            ? KnownToken.OfCertificate(entry, certificate)
            : null;

    /// <summary>The entry of an id; null: there is none.</summary>
    public TokenEntry? FindId(string id) => _byId.GetValueOrDefault(id);

    private KnownToken? FindSigned(string token, TokenDigest digest)
    {
        if (_signed.TryGetValue(digest, out KnownToken? known))
        {
            return known;
        }

        if (DisposableToken.Verify(token, Keys!) is not { } claims || FindId(claims.Issuer) is not { } issuer)
        {
            return null;
        }

        known = KnownToken.OfSignature(claims.EntryUnder(issuer, digest), digest, token);
        if (_signed.Count >= MaxSigned)
        {
            _signed.Clear();
        }

        _signed[digest] = known;
        return known;
    }
}
