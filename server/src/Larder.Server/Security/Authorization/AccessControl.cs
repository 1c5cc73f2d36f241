using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Larder.Server.Calls;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>Who may do what, by a file of tokens that is read again whenever it changes: who shows a token, and what it may do.</summary>
internal sealed partial class AccessControl
{
    // Connections that one thread reads from, about; each shows its own copy of a token.
    private const int Remembered = 256;

    private readonly ConcurrentDictionary<string, TokenUse> _uses = new(StringComparer.Ordinal);

    // By the place of a route, when it was called first: there are as many as calls.
    private readonly CallPolicy?[] _byRoute = new CallPolicy?[256];

    [ThreadStatic]
    private static Memory[]? t_memory;

    /// <summary>The clock by which tokens expire.</summary>
    public TimeProvider Time { get; }

    /// <summary>
    /// Null where a call may go on: its token is known, and has the call's role in the cache that the metadata name. <see cref="RpcContext.Caller"/> is then
    /// what is left to ask: the <see cref="CacheRights"/> that the request's keys are held to, where that is not any key; or the token itself, where
    /// the cache is named by the request.
    /// </summary>
    public Status? Check(RpcContext context)
    {
        if (Enter(context, out ConnectionCaller? caller) is { } stranger)
        {
            return AccessErrors.StatusOf(stranger);
        }

        CallPolicy? policy = PolicyOf(context);
        CallError? error;
        if (policy is { IsScoped: true })
        {
            error = CheckCache(context, caller!, policy);
        }
        else
        {
            context.Caller = caller!.Token;
            error = policy is null ? CheckUnlisted(context) : null;
        }

        return error is null ? null : AccessErrors.StatusOf(error);
    }

    /// <summary>Who shows a token; why not where it is nobody's, or has expired.</summary>
    public CallError? Authenticate(string token, out KnownToken? known)
    {
        known = token.Length == 0 ? null : Recall(token);
        return known is not null ? known.HasExpired(Time.GetUtcNow()) ? AccessErrors.ExpiredToken : null
            : token.Length == 0 ? AccessErrors.NoToken
            : AccessErrors.UnknownToken;
    }

    /// <summary>Whether a token that is not taken held once: it has expired, or went lately. Whoever shows it does not guess.</summary>
    public bool HasKnown(string token) => _table.Knows(token) || _former.Has(token);

    /// <summary>The id of who shows a token; empty: it is nobody's.</summary>
    public string WhoShows(string token) => Authenticate(token, out KnownToken? known) is null ? known!.Entry.Id : "";

    /// <summary>The id of who makes a call; empty: it is nobody.</summary>
    public string WhoMakes(RpcContext context) =>
        Authenticate(context, context.RequestHeaders.Authorization, out KnownToken? known) is null ? known!.Entry.Id : "";

    /// <summary>Who shows a token, or no token and a certificate.</summary>
    public CallError? Authenticate(RpcContext context, string token, out KnownToken? known)
    {
        if (token.Length > 0 || context.RemoteCertificate is not { } certificate)
        {
            return Authenticate(token, out known);
        }

        known = _table.Find(ShownCertificate.Of(certificate));
        return known is null ? AccessErrors.UnknownCertificate : known.HasExpired(Time.GetUtcNow()) ? AccessErrors.ExpiredToken : null;
    }

    /// <summary>What is counted of an entry's calls; those of disposable tokens are counted together, by who asked for them.</summary>
    public TokenUse UseOf(TokenEntry entry) => _uses.GetOrAdd(entry.UseName, static _ => new TokenUse());

    /// <summary>What was counted by a name of <see cref="TokenEntry.UseName"/>; null: no such token was seen.</summary>
    public TokenUse? FindUse(string name) => _uses.GetValueOrDefault(name);

    // What a call costs most of the time: two references that are the same, and a clock that was read anyway.
    private CallError? Enter(RpcContext context, out ConnectionCaller? caller)
    {
        string token = context.RequestHeaders.Authorization;
        caller = context.ConnectionCaller as ConnectionCaller;
        if (caller is null || !caller.Is(token, _table))
        {
            TokenTable table = _table;
            if (Authenticate(context, token, out KnownToken? known) is { } stranger)
            {
                return stranger;
            }

            caller = new ConnectionCaller(token, table, known!, UseOf(known!.Entry));
            context.ConnectionCaller = caller;
            context.Stream.Connection.Account.Join(caller.Use.Buffers);
        }

        caller.Use.Add(1);
        return context.StartedAt >= caller.LookAgainAt ? LookAgain(context, caller) : null;
    }

    private CallError? LookAgain(RpcContext context, ConnectionCaller caller)
    {
        DateTimeOffset now = Time.GetUtcNow();
        if (caller.Token.HasExpired(now))
        {
            caller.LookAgainAt = long.MinValue;
            return AccessErrors.ExpiredToken;
        }

        caller.Use.Seen(now, context.RemoteAddress);
        caller.LookAgainAt = Expiry.NextLook(Time, caller.Token.Expires, now, Time.GetTimestamp());
        return null;
    }

    private CallPolicy? PolicyOf(RpcContext context)
    {
        int route = context.RouteIndex;
        if ((uint)route >= (uint)_byRoute.Length)
        {
            return CallPolicy.Of(context.Path);
        }

        return _byRoute[route] ??= CallPolicy.Of(context.Path);
    }

    // A pipeline asks for each of its operations. No other call is outside the table of operations; if one were, it would be nobody's. What this server has
    // not at all is said by its router.
    private static CallError? CheckUnlisted(RpcContext context) =>
        context.RouteIndex < 0 || context.Path == PipelineService.Path || ReflectionService.Paths.Contains(context.Path) ? null : AccessErrors.Unlisted;

    private static CallError? CheckCache(RpcContext context, ConnectionCaller caller, CallPolicy policy)
    {
        string cache = context.RequestHeaders[CallRouting.CacheHeader];
        if (caller.RightsIn(cache) is not { } rights)
        {
            // Refused as it is without a file of tokens: there is no such cache.
            return null;
        }

        if (rights.Has(policy.Most))
        {
            return null;
        }

        context.Caller = rights;
        return rights.HasSome(policy.Needs) ? null : AccessErrors.Denied(policy.Needs, cache);
    }

    // Connections that carry the calls of several, as a proxy's, have more than one token.
    private KnownToken? Recall(string token)
    {
        TokenTable table = _table;
        ref Memory memory = ref (t_memory ??= new Memory[Remembered])[RuntimeHelpers.GetHashCode(token) % Remembered];
        if (ReferenceEquals(memory.Text, token) && ReferenceEquals(memory.Table, table))
        {
            return memory.Token;
        }

        KnownToken? known = table.Find(token);
        if (known is not null)
        {
            memory = new Memory(token, table, known);
        }

        return known;
    }

    private readonly record struct Memory(string Text, TokenTable Table, KnownToken Token);
}
