namespace Larder.Server.Security;

/// <summary>The claims of a disposable token.</summary>
/// <param name="Issuer">The ID of the entry whose token requested it.</param>
/// <param name="TokenId">The ID chosen by the issuer; may be empty.</param>
/// <param name="Expires">When it expires (wall clock).</param>
/// <param name="Grants">The grants; never more than the issuer's.</param>
internal sealed record DisposableClaims(string Issuer, string TokenId, DateTimeOffset Expires, IReadOnlyList<Grant> Grants)
{
    /// <summary>
    /// Returns the entry for this token under its issuer's current rights. Rights removed from the issuer are removed from the token too, and the
    /// token expires with its issuer at the latest.
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
