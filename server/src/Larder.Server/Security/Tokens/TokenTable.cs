using System.Collections.Concurrent;

namespace Larder.Server.Security;

/// <summary>The content of a token file and the signing keys of disposable tokens. Immutable, apart from a cache of verified tokens.</summary>
internal sealed class TokenTable
{
    // About 1 KB each, up to 30 KB for a token with the maximum number of permissions. Evicted tokens are verified again.
    private const int MaxSigned = 1_024;

    private readonly Dictionary<TokenDigest, AuthenticatedCaller> _byDigest;
    private readonly Dictionary<string, TokenEntry> _byId;

    // Signed tokens already verified with these entries and keys.
    private readonly ConcurrentDictionary<TokenDigest, AuthenticatedCaller> _signed = new();

    /// <param name="entries">The entries; all digests are distinct.</param>
    /// <param name="keys">The signing keys of disposable tokens; null if not configured.</param>
    public TokenTable(IReadOnlyList<TokenEntry> entries, TokenKeys? keys = null)
    {
        Entries = entries;
        Keys = keys;
        _byDigest = entries.SelectMany(static entry => entry.Digests.Select(digest => AuthenticatedCaller.OfFile(entry, digest)))
            .ToDictionary(static each => each.Digest);
        _byId = entries.ToDictionary(static each => each.Id, StringComparer.Ordinal);
    }

    /// <summary>Gets the entries in the file's order.</summary>
    public IReadOnlyList<TokenEntry> Entries { get; }

    /// <summary>Gets the signing keys of disposable tokens; null if not configured.</summary>
    public TokenKeys? Keys { get; }

    /// <summary>Gets the digests of all tokens in the file.</summary>
    public IEnumerable<TokenDigest> Digests => _byDigest.Keys;

    /// <summary>Returns whether a token is in the file or signed by a key, even if it has expired or its issuer was removed.</summary>
    public bool Knows(string token) =>
        Find(token) is not null || (Keys is not null && DisposableToken.IsOne(token) && DisposableToken.Verify(token, Keys) is not null);

    /// <summary>Finds the entry of a token, expired or not; returns null if the token is unknown.</summary>
    public AuthenticatedCaller? Find(string token) =>
        !TokenDigest.TryOf(token, out TokenDigest digest) ? null
        : Find(digest) ?? (Keys is not null && DisposableToken.IsOne(token) ? FindSigned(token, digest) : null);

    /// <summary>Finds a token of the file by its digest, expired or not; returns null if it is unknown.</summary>
    public AuthenticatedCaller? Find(in TokenDigest digest) => _byDigest.GetValueOrDefault(digest);

    /// <summary>Finds the current entry of a token identified by an earlier table; returns null if it is no longer valid.</summary>
    public AuthenticatedCaller? Find(AuthenticatedCaller known) =>
        known.Certificate is { } certificate ? Find(certificate)
        : known.Signed is { } token ? (Keys is null ? null : FindSigned(token, known.Digest)) : Find(known.Digest);

    /// <summary>
    /// Finds the entry for a certificate: the first name that is the ID of an entry decides, and that entry must have no token. Returns null if none
    /// matches.
    /// </summary>
    public AuthenticatedCaller? Find(CertificateIdentity certificate) =>
        certificate.Names.Select(FindId).FirstOrDefault(static entry => entry is { Digests.Count: 0 }) is { } entry
            ? AuthenticatedCaller.OfCertificate(entry, certificate)
            : null;

    /// <summary>Returns the entry with an ID; null if there is none.</summary>
    public TokenEntry? FindId(string id) => _byId.GetValueOrDefault(id);

    private AuthenticatedCaller? FindSigned(string token, TokenDigest digest)
    {
        if (_signed.TryGetValue(digest, out AuthenticatedCaller? known))
        {
            return known;
        }

        if (DisposableToken.Verify(token, Keys!) is not { } claims || FindId(claims.Issuer) is not { } issuer)
        {
            return null;
        }

        known = AuthenticatedCaller.OfSignature(claims.EntryUnder(issuer, digest), digest, token);
        if (_signed.Count >= MaxSigned)
        {
            _signed.Clear();
        }

        _signed[digest] = known;
        return known;
    }
}
