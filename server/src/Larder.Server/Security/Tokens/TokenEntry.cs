using System.Collections.Frozen;

namespace Larder.Server.Security;

/// <summary>An entry of a token file: an ID, an expiry and grants. Immutable.</summary>
internal sealed class TokenEntry
{
    private readonly FrozenDictionary<string, CacheRights> _byCache;
    private readonly CacheRights _everywhere;

    /// <param name="id">The ID, which is also the name in logs and metrics: 1 to 255 printable characters.</param>
    /// <param name="digests">The digests of the entry's tokens: one digest, two during a rotation, or none if certificates identify the caller.</param>
    /// <param name="expires">The time at which the entry expires (wall clock); null if it never expires.</param>
    /// <param name="grants">The grants of the entry.</param>
    /// <param name="issuer">The ID of the entry that issued this disposable token; null if the entry is from a file.</param>
    public TokenEntry(string id, IReadOnlyList<TokenDigest> digests, DateTimeOffset? expires, IReadOnlyList<Grant> grants, string? issuer = null)
    {
        Issuer = issuer;
        Id = id;
        PublisherId = id;
        Digests = digests;
        Expires = expires;
        Grants = grants;
        _everywhere = new CacheRights([.. grants.Where(static each => each.Cache == Grant.AllCaches)]);
        _byCache = grants.Where(static each => each.Cache != Grant.AllCaches)
            .GroupBy(static each => each.Cache, StringComparer.Ordinal)
            .ToFrozenDictionary(static group => group.Key, group => new CacheRights([.. group], _everywhere), StringComparer.Ordinal);
    }

    public string Id { get; }

    /// <summary>Gets the publisher ID that subscribers receive: the disposable token's own ID if the token has one, otherwise <see cref="Id"/>.</summary>
    public string PublisherId { get; init; }

    /// <summary>Gets the name under which the calls of this entry are counted.</summary>
    public string UseName => Issuer is null ? Id : DisposableUseName(Issuer);

    public IReadOnlyList<TokenDigest> Digests { get; }

    public DateTimeOffset? Expires { get; }

    public IReadOnlyList<Grant> Grants { get; }

    /// <summary>Gets the ID of the entry that issued this disposable token; null if the entry is from a file.</summary>
    public string? Issuer { get; }

    /// <summary>Gets the rights that apply in all caches.</summary>
    public CacheRights Everywhere => _everywhere;

    /// <summary>Returns the rights in a cache, whether or not that cache exists.</summary>
    public CacheRights In(string cache) => _byCache.GetValueOrDefault(cache, _everywhere);

    public bool HasExpired(TimeProvider time) => Expires is not null && HasExpired(time.GetUtcNow());

    /// <summary>Returns whether the entry has expired at the given wall-clock time.</summary>
    public bool HasExpired(DateTimeOffset now) => Expires is { } end && now >= end;

    /// <summary>Returns the name under which an issuer's disposable tokens are counted.</summary>
    public static string DisposableUseName(string issuer) => $"{issuer} (disposable)";
}
