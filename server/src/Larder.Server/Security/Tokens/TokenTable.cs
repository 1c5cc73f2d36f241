using System.Collections.Concurrent;

namespace Larder.Server.Security;

/// <summary>The content of a token file and the signing keys of disposable tokens. Immutable, apart from a cache of verified tokens.</summary>
internal sealed class TokenTable
{
    // The maximum number of cached tokens. Each takes about 1 KB, or up to 30 KB with the maximum number of permissions. An evicted token is verified again
    // when it is used.
    private const int MaxSigned = 1_024;

    private readonly Dictionary<TokenDigest, AuthenticatedCaller> _byDigest;
    private readonly Dictionary<string, TokenEntry> _byId;

    // The signed tokens that have already been verified with the entries and keys of this table.
    private readonly ConcurrentDictionary<TokenDigest, AuthenticatedCaller> _signed = new();

    /// <param name="entries">The entries. All their digests are distinct.</param>
    /// <param name="keys">The signing keys of disposable tokens; null if not configured.</param>
    public TokenTable(IReadOnlyList<TokenEntry> entries, TokenKeys? keys = null)
    {
        Entries = entries;
        Keys = keys;
        _byDigest = entries.SelectMany(static entry => entry.Digests.Select(digest => AuthenticatedCaller.OfFile(entry, digest)))
            .ToDictionary(static each => each.Digest);
        _byId = entries.ToDictionary(static each => each.Id, StringComparer.Ordinal);
    }

    /// <summary>Gets the entries, in the order of the file.</summary>
    public IReadOnlyList<TokenEntry> Entries { get; }

    /// <summary>Gets the signing keys of disposable tokens; null if not configured.</summary>
    public TokenKeys? Keys { get; }

    /// <summary>Gets the digests of all tokens in the file.</summary>
    public IEnumerable<TokenDigest> Digests => _byDigest.Keys;

    /// <summary>Returns whether a token is in the file or signed by a key, even if it has expired or its issuer was removed.</summary>
    public bool Knows(string token) =>
        Find(token) is not null || (Keys is not null && DisposableToken.IsOne(token) && DisposableToken.Verify(token, Keys) is not null);

    /// <summary>Finds the entry of a token, even if it has expired. Returns null if the token is unknown.</summary>
    public AuthenticatedCaller? Find(string token) =>
        !TokenDigest.TryOf(token, out TokenDigest digest) ? null
        : Find(digest) ?? (Keys is not null && DisposableToken.IsOne(token) ? FindSigned(token, digest) : null);

    /// <summary>Finds the entry of a token in the file by the token's digest, even if it has expired. Returns null if the token is unknown.</summary>
    public AuthenticatedCaller? Find(in TokenDigest digest) => _byDigest.GetValueOrDefault(digest);

    /// <summary>
    /// Finds the current entry of a caller that was identified with an earlier table. Returns null if the caller's token or certificate is no longer known.
    /// </summary>
    public AuthenticatedCaller? Find(AuthenticatedCaller known) =>
        known.Certificate is { } certificate ? Find(certificate)
        : known.Signed is { } token ? (Keys is null ? null : FindSigned(token, known.Digest)) : Find(known.Digest);

    /// <summary>
    /// Finds the entry for a certificate: the first entry without a token whose ID is one of the certificate's names, in the order of the names. Returns null
    /// if there is no such entry.
    /// </summary>
    public AuthenticatedCaller? Find(CertificateIdentity certificate) =>
        certificate.Names.Select(FindId).FirstOrDefault(static entry => entry is { Digests.Count: 0 }) is { } entry
            ? AuthenticatedCaller.OfCertificate(entry, certificate)
            : null;

    /// <summary>Returns the entry with the given ID; null if there is no such entry.</summary>
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
