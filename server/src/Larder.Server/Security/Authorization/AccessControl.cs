using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Larder.Server.Calls;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>Authenticates and authorizes callers with a token file that is reloaded when it changes.</summary>
internal sealed partial class AccessControl
{
    // The number of tokens that each thread remembers. Each connection has its own string object for a token, so this is roughly the number of connections from
    // which one thread reads.
    private const int Remembered = 256;

    private readonly ConcurrentDictionary<string, TokenUse> _uses = new(StringComparer.Ordinal);

    // The policies of the calls, by route index. An entry is filled when it is first used.
    private readonly CallPolicy?[] _byRoute = new CallPolicy?[256];

    [ThreadStatic]
    private static Memory[]? t_memory;

    /// <summary>Gets the clock that determines when tokens expire.</summary>
    public TimeProvider Time { get; }

    /// <summary>
    /// Checks a call. Returns null if the call may proceed, otherwise the error. A call may proceed if its token is known and has the role for the call in the
    /// cache that the metadata names. <see cref="RpcContext.Caller"/> then contains the information for the remaining checks. If the metadata names the cache,
    /// it contains the <see cref="CacheRights"/> for the keys in the request, unless every key is allowed. If the request names the cache, it contains the
    /// authenticated caller.
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

    /// <summary>Identifies the owner of a token. Returns an error if the token is unknown or has expired.</summary>
    public CallError? Authenticate(string token, out AuthenticatedCaller? known)
    {
        known = token.Length == 0 ? null : Recall(token);
        return known is not null ? known.HasExpired(Time.GetUtcNow()) ? AccessErrors.ExpiredToken : null
            : token.Length == 0 ? AccessErrors.NoToken
            : AccessErrors.UnknownToken;
    }

    /// <summary>
    /// Returns whether a rejected token was valid earlier, that is, whether it has expired or was removed recently. A caller with such a token is not guessing.
    /// </summary>
    public bool HasKnown(string token) => _table.Knows(token) || _former.Has(token);

    /// <summary>Returns the ID of a token's owner; empty if the token is invalid.</summary>
    public string CallerIdOfToken(string token) => Authenticate(token, out AuthenticatedCaller? known) is null ? known!.Entry.Id : "";

    /// <summary>Returns the ID of a call's caller; empty if the caller is unknown.</summary>
    public string CallerIdOfCall(RpcContext context) =>
        Authenticate(context, context.RequestHeaders.Authorization, out AuthenticatedCaller? known) is null ? known!.Entry.Id : "";

    /// <summary>Identifies a caller by its token, or by its certificate if it sent no token.</summary>
    public CallError? Authenticate(RpcContext context, string token, out AuthenticatedCaller? known)
    {
        if (token.Length > 0 || context.RemoteCertificate is not { } certificate)
        {
            return Authenticate(token, out known);
        }

        known = _table.Find(CertificateIdentity.Of(certificate));
        return known is null ? AccessErrors.UnknownCertificate : known.HasExpired(Time.GetUtcNow()) ? AccessErrors.ExpiredToken : null;
    }

    /// <summary>Returns the usage counters of an entry. The disposable tokens of an issuer share one set of counters.</summary>
    public TokenUse UseOf(TokenEntry entry) => _uses.GetOrAdd(entry.UseName, static _ => new TokenUse());

    /// <summary>Returns the counters for a <see cref="TokenEntry.UseName"/>; null if no token with this name was used.</summary>
    public TokenUse? FindUse(string name) => _uses.GetValueOrDefault(name);

    // This method usually costs only two reference comparisons per call. It reads no clock, because the time has already been read for other purposes.
    private CallError? Enter(RpcContext context, out ConnectionCaller? caller)
    {
        string token = context.RequestHeaders.Authorization;
        caller = context.ConnectionCaller as ConnectionCaller;
        if (caller is null || !caller.Is(token, _table))
        {
            TokenTable table = _table;
            if (Authenticate(context, token, out AuthenticatedCaller? known) is { } stranger)
            {
                return stranger;
            }

            caller = new ConnectionCaller(token, table, known!, UseOf(known!.Entry));
            context.ConnectionCaller = caller;
            context.Stream.Connection.Account.Join(caller.Use.Buffers);
        }

        caller.Use.Add(1);
        return context.StartedAt >= caller.NextCheckAt ? Reauthenticate(context, caller) : null;
    }

    private CallError? Reauthenticate(RpcContext context, ConnectionCaller caller)
    {
        DateTimeOffset now = Time.GetUtcNow();
        if (caller.Token.HasExpired(now))
        {
            caller.NextCheckAt = long.MinValue;
            return AccessErrors.ExpiredToken;
        }

        caller.Use.Seen(now, context.RemoteAddress);
        caller.NextCheckAt = Expiry.NextLook(Time, caller.Token.Expires, now, Time.GetTimestamp());
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

    // The operations of a pipeline are checked individually, and every known token may use reflection. Any other call that is missing in the table of
    // operations is denied. The router rejects calls that this server does not implement.
    private static CallError? CheckUnlisted(RpcContext context) =>
        context.RouteIndex < 0 || context.Path == PipelineService.Path || ReflectionService.Paths.Contains(context.Path) ? null : AccessErrors.Unlisted;

    private static CallError? CheckCache(RpcContext context, ConnectionCaller caller, CallPolicy policy)
    {
        string cache = context.RequestHeaders[CallRouting.CacheHeader];
        if (caller.RightsIn(cache) is not { } rights)
        {
            // The cache name is invalid. The call is rejected with the same error as without a token file.
            return null;
        }

        if (rights.Has(policy.Most))
        {
            return null;
        }

        context.Caller = rights;
        return rights.HasSome(policy.Needs) ? null : AccessErrors.Denied(policy.Needs, cache);
    }

    // A connection that carries calls of several clients, for example a proxy's connection, uses more than one token.
    private AuthenticatedCaller? Recall(string token)
    {
        TokenTable table = _table;
        ref Memory memory = ref (t_memory ??= new Memory[Remembered])[RuntimeHelpers.GetHashCode(token) % Remembered];
        if (ReferenceEquals(memory.Text, token) && ReferenceEquals(memory.Table, table))
        {
            return memory.Token;
        }

        AuthenticatedCaller? known = table.Find(token);
        if (known is not null)
        {
            memory = new Memory(token, table, known);
        }

        return known;
    }

    private readonly record struct Memory(string Text, TokenTable Table, AuthenticatedCaller Token);
}
