using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness;
using Larder.Harness.Agents;

namespace Larder.Conformance;

/// <summary>
/// Checks, through one client, that each token permits exactly the calls that the table of operations allows (AUTH-8 to AUTH-12, AUTH-26). Each call is made
/// with a token of each role, with and without a key prefix, and with tokens for topics. Each of these tokens is tested with its own cache and another cache,
/// and with a permitted key and another key. Each call is also made with an expired token, with a removed token, and without a token.
/// </summary>
/// <param name="agent">The client's agent; no client is open.</param>
/// <param name="open">The fields of its <c>open</c> request, except the token.</param>
/// <param name="file">The server's token file.</param>
/// <param name="run">The name of the run, which determines its cache.</param>
/// <param name="calls">The calls, each with a request.</param>
internal sealed class AccessMatrix(IAgent agent, JsonObject open, AccessFile file, string run, IReadOnlyList<(ClientCall Call, AccessRequest Request)> calls)
{
    private const int AtOnce = 16;
    private const string OtherPrefix = "q:";

    private static readonly AccessToken s_admin = new("admin", AccessRole.Admin);
    private static readonly AccessToken s_taken = new("taken", AccessRole.Admin);
    private static readonly AccessToken s_expired = new("expired", AccessRole.Admin, Expires: "2001-01-01T00:00:00Z");
    private static readonly AccessToken s_noToken = new("", AccessRole.Open);

    // The administrator's calls are last, because one of them deletes the cache.
    private static readonly AccessToken[] s_known =
    [
        new("read", AccessRole.Read), new("write", AccessRole.Write), new("readwrite", AccessRole.ReadWrite),
        new("read-p", AccessRole.Read, HasPrefix: true), new("write-p", AccessRole.Write, HasPrefix: true),
        new("readwrite-p", AccessRole.ReadWrite, HasPrefix: true),
        new("topics-read", AccessRole.Open, Topics: AccessRole.Read), new("topics-write", AccessRole.Open, Topics: AccessRole.Write),
        new("topics-readwrite", AccessRole.Open, Topics: AccessRole.ReadWrite), s_admin,
    ];

    // The interval at which the run checks whether the server has reloaded the file. After a change, the server waits until the file stays unchanged for a
    // quarter of a second.
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(50);

    private readonly string _own = CacheOf(run);
    private readonly string _other = $"{CacheOf(run)}-other";
    private readonly Dictionary<string, List<string>> _faults = calls.ToDictionary(static each => each.Call.Op, static _ => new List<string>());
    private int _asked;

    /// <summary>
    /// Writes the token file for the start of the run with the given name. The file contains every token, including the expired token and the token that is
    /// removed later.
    /// </summary>
    public static void WriteFile(AccessFile file, string run) => file.Write(CacheOf(run), [.. s_known, s_taken, s_expired]);

    /// <summary>Checks all calls. Returns, for each call, the answers that differ from the table.</summary>
    public async Task<IReadOnlyDictionary<string, List<string>>> AskAsync()
    {
        await OpenAsync(s_admin).ConfigureAwait(false);
        await MustAsync("createCache").ConfigureAwait(false);
        await CloseAsync().ConfigureAwait(false);
        foreach (AccessToken stranger in (AccessToken[])[s_noToken, s_expired])
        {
            await OpenAsync(stranger).ConfigureAwait(false);
            await CallWithUnknownTokenAsync(stranger).ConfigureAwait(false);
            await CloseAsync().ConfigureAwait(false);
        }

        await OpenAsync(s_taken).ConfigureAwait(false);
        await CollectAsync().ConfigureAwait(false);
        await CallWithUnknownTokenAsync(s_taken).ConfigureAwait(false);
        await CloseAsync().ConfigureAwait(false);
        foreach (AccessToken token in s_known)
        {
            await OpenAsync(token).ConfigureAwait(false);
            await CallWithTokenAsync(token).ConfigureAwait(false);
            await CloseAsync().ConfigureAwait(false);
        }

        return _faults;
    }

    private async Task CallWithTokenAsync(AccessToken token)
    {
        IEnumerable<Place> places =
            from each in calls
            from isOwnCache in (bool[])[false, true]
            from isOwnKey in (bool[])[false, true]
            where isOwnKey || each.Request.HasKey
            select new Place(each.Call, each.Request, isOwnCache, isOwnKey);
        await SideBySideAsync(places.Where(static place => place.Call.Needs != AccessRole.Admin), place => JudgeAsync(token, place)).ConfigureAwait(false);
        // These calls run one at a time, because one of them deletes the cache. The calls after the deletion may fail with NotFound.
        foreach (Place place in places.Where(static place => place.Call.Needs == AccessRole.Admin))
        {
            await JudgeAsync(token, place).ConfigureAwait(false);
        }
    }

    private async Task JudgeAsync(AccessToken token, Place place)
    {
        string code = await CodeAsync(place).ConfigureAwait(false);
        // A call that requires the role admin also counts as permitted if it fails because the cache already exists, or because the cache is missing.
        bool isLetIn = code == "" || (place.Call.Needs == AccessRole.Admin && code is "AlreadyExists" or "NotFound");
        if (token.May(place.Call, place.IsOwnCache, place.IsOwnKey) ? !isLetIn : code != "PermissionDenied")
        {
            Fault(place.Call, $"'{token.Id}' in {Whose(place.IsOwnCache)} cache with {Whose(place.IsOwnKey)} key", code);
        }
    }

    private static string Whose(bool isOwn) => isOwn ? "its own" : "another";

    private Task CallWithUnknownTokenAsync(AccessToken stranger) => SideBySideAsync(calls, async each =>
    {
        string code = await CodeAsync(new Place(each.Call, each.Request, IsOwnCache: true, IsOwnKey: true)).ConfigureAwait(false);
        if (code != "Unauthenticated")
        {
            Fault(each.Call, stranger.Id.Length == 0 ? "nobody" : $"'{stranger.Id}'", code);
        }
    });

    private async Task CollectAsync()
    {
        await MustAsync("ping").ConfigureAwait(false);
        file.Write(_own, [.. s_known, s_expired]);
        while ((await agent.AskAsync(new JsonObject { ["op"] = "ping" }).ConfigureAwait(false))["result"]?.GetValue<string>() != "error")
        {
            await Task.Delay(s_look).ConfigureAwait(false);
        }
    }

    // Makes a call. Returns its error code, or an empty string on success.
    private async Task<string> CodeAsync(Place place)
    {
        // Each call has its own key, so that the key never contains an item of another type.
        string ownKey = AccessToken.Prefix + place.Call.Op;
        JsonObject asked = place.Request.Naming(place.IsOwnCache ? _own : _other, place.IsOwnKey ? ownKey : OtherPrefix + place.Call.Op, ownKey);
        if (asked.ContainsKey("as"))
        {
            // A subscription stays open under its name until the client is closed. So each subscription needs a new name.
            asked["as"] = Interlocked.Increment(ref _asked).ToString(CultureInfo.InvariantCulture);
        }

        JsonObject answer = await agent.AskAsync(new Substitution(run).Fill(asked)).ConfigureAwait(false);
        return answer["result"]?.GetValue<string>() == "error" ? answer["error"]?["code"]?.GetValue<string>() ?? "no code" : "";
    }

    private void Fault(ClientCall call, string who, string code)
    {
        lock (_faults)
        {
            _faults[call.Op].Add($"by {who}: {(code.Length == 0 ? "answered" : code)}");
        }
    }

    private async Task OpenAsync(AccessToken token)
    {
        var request = (JsonObject)open.DeepClone();
        request["cache"] = _own;
        if (token.Secret is { } secret)
        {
            request["token"] = secret;
        }

        if (token == s_noToken || token == s_expired)
        {
            request["eagerConnect"] = false;
        }

        await MustAsync("open", request).ConfigureAwait(false);
    }

    private Task CloseAsync() => MustAsync("close");

    private async Task MustAsync(string op, JsonObject? more = null)
    {
        JsonObject request = more ?? [];
        request["op"] = op;
        if (op == "createCache")
        {
            request["cache"] = _own;
        }

        JsonObject answer = await agent.AskAsync(request).ConfigureAwait(false);
        if (answer["result"]?.GetValue<string>() != "success")
        {
            throw new HarnessException($"the test could not start, because the setup call {op} failed; the agent returned {answer.ToJsonString()}");
        }
    }

    private static Task SideBySideAsync<T>(IEnumerable<T> items, Func<T, Task> run) => Parallel.ForEachAsync(
        items,
        new ParallelOptions { MaxDegreeOfParallelism = AtOnce },
        async (item, _) => await run(item).ConfigureAwait(false));

    private static string CacheOf(string run) => $"access-{run}";

    private sealed record Place(ClientCall Call, AccessRequest Request, bool IsOwnCache, bool IsOwnKey);
}
