using Larder.Server.Security;

namespace Larder.Server.Console.Api;

/// <summary>
/// <c>GET /api/tokens</c>: the tokens with their grants and usage, but without secrets and digests. The most recently used tokens come first.
/// </summary>
/// <param name="Tokens">At most <see cref="ConsoleApi.MaxTokens"/> tokens; empty if there is no token file.</param>
/// <param name="Total">The total number of tokens.</param>
internal sealed record TokensAnswer(IReadOnlyList<TokenAnswer> Tokens, int Total)
{
    /// <summary>Creates the response; <paramref name="access"/> is null if there is no token file.</summary>
    public static TokensAnswer Of(AccessControl? access)
    {
        if (access is null)
        {
            return new TokensAnswer([], 0);
        }

        IReadOnlyList<TokenEntry> entries = access.Table.Entries;
        Dictionary<string, int> streams = access.Sessions.CountBy(static session => session.UseName).ToDictionary(StringComparer.Ordinal);
        List<(string Id, TokenEntry Entry, TokenUse? Use, bool IsDisposable)> all = [];
        foreach (TokenEntry entry in entries)
        {
            all.Add((entry.Id, entry, access.FindUse(entry.Id), false));
            // The disposable tokens of an issuer are short-lived, so they are shown as one entry. The entry is shown only if any of them has been used.
            string disposable = TokenEntry.DisposableUseName(entry.Id);
            if (access.FindUse(disposable) is { } used)
            {
                all.Add((disposable, entry, used, true));
            }
        }

        DateTimeOffset now = access.Time.GetUtcNow();
        IEnumerable<TokenAnswer> told = all.OrderByDescending(static each => each.Use?.Last?.At)
            .Take(ConsoleApi.MaxTokens)
            .Select(each => TokenAnswer.Of(each.Id, each.Entry, each.Use, each.IsDisposable, streams.GetValueOrDefault(each.Id), now));
        return new TokensAnswer([.. told], all.Count);
    }
}

/// <summary>One entry of the token file, or all disposable tokens of one issuer.</summary>
/// <param name="Id">The ID of the token, or of the issuer of the disposable tokens.</param>
/// <param name="Grants">The first grants, in the form that <c>--grant</c> accepts. Disposable tokens have at most these grants.</param>
/// <param name="MoreGrants">The number of further grants, which <paramref name="Grants"/> does not contain.</param>
/// <param name="Expires">The time at which the token expires; null if it never expires.</param>
/// <param name="HasExpired">Whether the token has expired.</param>
/// <param name="Calls">The number of calls and operations since the server started or the entry was added.</param>
/// <param name="Streams">The number of open pipelines.</param>
/// <param name="LastSeen">The time at which the token was last used; null if it was never used.</param>
/// <param name="Address">The remote address of the last use; empty if the address is unknown or the token was never used.</param>
internal sealed record TokenAnswer(
    string Id,
    IReadOnlyList<string> Grants,
    int MoreGrants,
    DateTimeOffset? Expires,
    bool HasExpired,
    long Calls,
    int Streams,
    DateTimeOffset? LastSeen,
    string Address)
{
    private const int MaxGrants = 8;

    public static TokenAnswer Of(string id, TokenEntry entry, TokenUse? use, bool isDisposable, int streams, DateTimeOffset now) => new(
        id,
        [.. entry.Grants.Take(MaxGrants).Select(grant => (isDisposable ? "part of " : "") + TokenTableWriter.Describe(grant))],
        Math.Max(0, entry.Grants.Count - MaxGrants),
        isDisposable ? null : entry.Expires,
        !isDisposable && entry.HasExpired(now),
        use?.Calls ?? 0,
        streams,
        use?.Last?.At,
        use?.Last?.Address?.ToString() ?? "");
}
