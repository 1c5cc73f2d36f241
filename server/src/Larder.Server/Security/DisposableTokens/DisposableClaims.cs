namespace Larder.Server.Security;

/// <summary>What a disposable token says of itself.</summary>
/// <param name="Issuer">The id of the entry whose token asked for it.</param>
/// <param name="TokenId">What its issuer calls it; empty: nothing.</param>
/// <param name="Expires">When it ends, by the wall clock.</param>
/// <param name="Grants">What it was given; never more than its issuer may do.</param>
internal sealed record DisposableClaims(string Issuer, string TokenId, DateTimeOffset Expires, IReadOnlyList<Grant> Grants)
{
    /// <summary>
    /// What it is while its issuer is what it is now: a right that was taken from the issuer is taken from it too, and it ends with its issuer at the latest.
    /// </summary>
    public TokenEntry EntryUnder(TokenEntry issuer, TokenDigest digest)
    {
        DateTimeOffset? end = issuer.Expires is { } issuersEnd && issuersEnd < Expires ? issuersEnd : Expires;
        Grant[] held = [.. Grants.SelectMany(grant => grant.Within(issuer))];
        // No entry of a file has a space in its id: nobody is taken for another.
        string id = TokenId.Length == 0 ? TokenEntry.UseNameOfDisposable(Issuer) : $"{Issuer} ({TokenId})";
        return new TokenEntry(id, [digest], end, held, Issuer) { PublisherId = TokenId };
    }
}
