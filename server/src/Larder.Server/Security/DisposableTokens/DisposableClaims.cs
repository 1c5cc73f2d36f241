namespace Larder.Server.Security;

/// <summary>The claims of a disposable token.</summary>
/// <param name="Issuer">The ID of the entry whose token requested the disposable token.</param>
/// <param name="TokenId">The ID that the issuer chose; may be empty.</param>
/// <param name="Expires">The time at which the token expires (wall clock).</param>
/// <param name="Grants">The grants. They never exceed the issuer's grants.</param>
internal sealed record DisposableClaims(string Issuer, string TokenId, DateTimeOffset Expires, IReadOnlyList<Grant> Grants)
{
    /// <summary>
    /// Returns the entry for this token, limited to the issuer's current rights. If the issuer loses a right, the token also loses it. The token expires at the
    /// latest when its issuer expires.
    /// </summary>
    public TokenEntry EntryUnder(TokenEntry issuer, TokenDigest digest)
    {
        DateTimeOffset? end = issuer.Expires is { } issuersEnd && issuersEnd < Expires ? issuersEnd : Expires;
        Grant[] held = [.. Grants.SelectMany(grant => grant.Within(issuer))];
        // IDs in the token file contain no spaces, so this name is unique.
        string id = TokenId.Length == 0 ? TokenEntry.DisposableUseName(Issuer) : $"{Issuer} ({TokenId})";
        return new TokenEntry(id, [digest], end, held, Issuer) { PublisherId = TokenId };
    }
}
