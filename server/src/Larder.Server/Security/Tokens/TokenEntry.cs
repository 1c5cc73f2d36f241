using System.Collections.Frozen;

namespace Larder.Server.Security;

/// <summary>One entry of a file of tokens: who it is, until when, and what it may do. Never changed.</summary>
internal sealed class TokenEntry
{
    private readonly FrozenDictionary<string, CacheRights> _byCache;
    private readonly CacheRights _everywhere;

    /// <param name="id">Its name in logs and figures, 1 to 255 printable characters.</param>
    /// <param name="digests">Of the tokens that show it: one, or two while it is changed for another; none where certificates show it.</param>
    /// <param name="expires">When it ends, by the wall clock; null: never.</param>
    /// <param name="grants">What it may do.</param>
    /// <param name="issuer">The id of the entry whose token asked for this one, which is signed and of no file; null: it is of the file.</param>
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

    /// <summary>What subscribers are told of who published with it: a disposable token's own id where it was given one, else <see cref="Id"/>.</summary>
    public string PublisherId { get; init; }

    /// <summary>The name that its calls are counted by.</summary>
    public string UseName => Issuer is null ? Id : UseNameOfDisposable(Issuer);

    public IReadOnlyList<TokenDigest> Digests { get; }

    public DateTimeOffset? Expires { get; }

    public IReadOnlyList<Grant> Grants { get; }

    /// <summary>The id of the entry whose token asked for this one, which is signed and of no file; null: it is of the file.</summary>
    public string? Issuer { get; }

    /// <summary>What it may do in all caches.</summary>
    public CacheRights Everywhere => _everywhere;

    /// <summary>What it may do in a cache, whether there is one of that name or not.</summary>
    public CacheRights In(string cache) => _byCache.GetValueOrDefault(cache, _everywhere);

    /// <summary>Whether it has ended by the wall clock.</summary>
    public bool HasExpired(TimeProvider time) => Expires is not null && HasExpired(time.GetUtcNow());

    /// <summary>Whether it has ended at a time of the wall clock.</summary>
    public bool HasExpired(DateTimeOffset now) => Expires is { } end && now >= end;

    /// <summary>The name that disposable tokens of an issuer are counted by.</summary>
    public static string UseNameOfDisposable(string issuer) => $"{issuer} (disposable)";
}
