using Larder.Server.Security;

namespace Larder.Server.Console.Api;

/// <summary><c>GET /api/tokens</c>: who may do what, and how much they do; no secret and no digest. Those seen last come first.</summary>
/// <param name="Tokens">At most <see cref="ConsoleApi.MaxTokens"/>; none where there is no file of tokens.</param>
/// <param name="Total">How many there are.</param>
internal sealed record TokensAnswer(IReadOnlyList<TokenAnswer> Tokens, int Total)
{
    /// <summary>What is told of a server; <paramref name="access"/> is null where it has no file of tokens.</summary>
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
            // Told together, and where there were any: a token for a while is nobody's for long.
            string disposable = TokenEntry.UseNameOfDisposable(entry.Id);
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

/// <summary>One entry of the file, or all disposable tokens that one gave.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Grants">What it may do, as <c>--grant</c> takes it; the first ones. Of disposable tokens: at most that.</param>
/// <param name="MoreGrants">How many there are besides.</param>
/// <param name="Expires">When it ends; null: never.</param>
/// <param name="HasExpired">Whether it has ended.</param>
/// <param name="Calls">Calls and operations since the server began, or since it was first in the file.</param>
/// <param name="Streams">Pipelines that are open.</param>
/// <param name="LastSeen">When it was seen last; null: never.</param>
/// <param name="Address">Where from; empty: not known, or never seen.</param>
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
        [.. entry.Grants.Take(MaxGrants).Select(grant => (isDisposable ? "a part of " : "") + TokenTableWriter.Describe(grant))],
        Math.Max(0, entry.Grants.Count - MaxGrants),
        isDisposable ? null : entry.Expires,
        !isDisposable && entry.HasExpired(now),
        use?.Calls ?? 0,
        streams,
        use?.Last?.At,
        use?.Last?.Address?.ToString() ?? "");
}
