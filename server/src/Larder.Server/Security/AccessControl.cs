using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Larder.Server.Calls;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>Who may do what, by a file of tokens that is read again whenever it changes: who shows a token, and what it may do.</summary>
internal sealed class AccessControl
{
    // Connections that one thread reads from, about; each shows its own copy of a token.
    private const int Remembered = 256;

    private readonly string _option;
    private readonly string _path;
    private readonly FileWatch _watch;
    private readonly ConcurrentDictionary<AccessSession, bool> _sessions = new();
    private volatile TokenTable _table;

    [ThreadStatic]
    private static Memory[]? t_memory;

    /// <exception cref="ServerOptionsException">The file cannot be read, or is no file of tokens.</exception>
    public AccessControl(string option, string path, TimeProvider time)
    {
        _option = option;
        _path = path;
        Time = time;
        _watch = new FileWatch(path);
        _table = TokenTableFile.Read(option, path);
    }

    /// <summary>Where the file is.</summary>
    public string Path => _path;

    /// <summary>Whether the file is another than was read last, and was the same when this was asked before. Asked by one thread.</summary>
    public bool HasFileChanged => _watch.HasChanged();

    /// <summary>The clock by which tokens expire.</summary>
    public TimeProvider Time { get; }

    /// <summary>What the file said when it was read last.</summary>
    public TokenTable Table => _table;

    /// <summary>Reads the file again, whole: calls and turns of streams go by it from now on, and streams that wait are ended where they must.</summary>
    /// <exception cref="ServerOptionsException">It cannot be read, or is no file of tokens: what was read before goes on.</exception>
    public void Reload()
    {
        _watch.Note();
        _table = TokenTableFile.Read(_option, _path);
        EndSessions();
    }

    /// <summary>Ends the streams whose token has gone or expired, though they wait for their client.</summary>
    public void EndSessions()
    {
        foreach (AccessSession session in _sessions.Keys)
        {
            session.EndIfOver();
        }
    }

    /// <summary>
    /// Null where a call may go on: its token is known, and has the call's role in the cache that the metadata name. <see cref="RpcContext.Caller"/> is then
    /// what is left to ask: the <see cref="CacheRights"/> that the request's keys are held to, where that is not any key; or the token itself, where
    /// the cache is named by the request.
    /// </summary>
    public Status? Check(RpcContext context)
    {
        CallError? error = Authenticate(context.RequestHeaders["authorization"], out KnownToken? token);
        if (error is null)
        {
            context.Caller = token;
            error = CallPolicy.Of(context.Path) is not { } policy ? CheckUnlisted(context)
                : policy.IsScoped ? CheckCache(context, token!.Entry, policy)
                : null;
        }

        return error is null ? null : AccessErrors.StatusOf(error);
    }

    /// <summary>Who shows a token; why not where it is nobody's, or has expired.</summary>
    public CallError? Authenticate(string token, out KnownToken? known)
    {
        known = token.Length == 0 ? null : Recall(token);
        return known is not null ? known.Entry.HasExpired(Time) ? AccessErrors.ExpiredToken : null
            : token.Length == 0 ? AccessErrors.NoToken
            : AccessErrors.UnknownToken;
    }

    /// <summary>The id of who shows a token; empty: it is nobody's.</summary>
    public string WhoShows(string token) => Authenticate(token, out KnownToken? known) is null ? known!.Entry.Id : "";

    /// <summary>A stream begins, whose turns ask from now on.</summary>
    /// <param name="token">Who opened it.</param>
    /// <param name="cache">The cache of its operations that name none.</param>
    /// <param name="denied">Told of each operation that is denied: the token's id, the call and the cache.</param>
    /// <param name="draining">Cancelled when the server goes away.</param>
    public AccessSession Open(KnownToken token, string cache, Action<string, string, string> denied, CancellationToken draining)
    {
        AccessSession session = new(this, token, cache, denied, draining);
        _sessions[session] = true;
        return session;
    }

    /// <summary>The stream has ended.</summary>
    public void Close(AccessSession session) => _sessions.TryRemove(session, out _);

    // A pipeline asks for each of its operations. No other call is outside the table of operations; if one were, it would be nobody's. What this server has
    // not at all is said by its router.
    private static CallError? CheckUnlisted(RpcContext context) =>
        context.RouteIndex < 0 || context.Path == PipelineService.Path ? null : AccessErrors.Unlisted;

    private static CallError? CheckCache(RpcContext context, TokenEntry entry, CallPolicy policy)
    {
        string cache = context.RequestHeaders[CallRouting.CacheHeader];
        if (!CacheName.IsValid(cache))
        {
            // Refused as it is without a file of tokens: there is no such cache.
            return null;
        }

        CacheRights rights = entry.In(cache);
        context.Caller = rights.Has(policy.Most) ? null : rights;
        return rights.HasSome(policy.Needs) ? null : AccessErrors.Denied(policy.Needs, cache);
    }

    // A connection's repeated metadata is one text: who has it, knows it. That saves a digest a call; a text that is equal, and not the same, is digested.
    private KnownToken? Recall(string token)
    {
        TokenTable table = _table;
        ref Memory memory = ref (t_memory ??= new Memory[Remembered])[RuntimeHelpers.GetHashCode(token) % Remembered];
        if (ReferenceEquals(memory.Text, token) && ReferenceEquals(memory.Table, table))
        {
            return memory.Token;
        }

        KnownToken? known = TokenDigest.TryOf(token, out TokenDigest digest) ? table.Find(digest) : null;
        if (known is not null)
        {
            memory = new Memory(token, table, known);
        }

        return known;
    }

    private readonly record struct Memory(string Text, TokenTable Table, KnownToken Token);
}
