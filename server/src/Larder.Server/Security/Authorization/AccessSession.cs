using System.Net;
using System.Text;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>What the token of one stream lets it do: asked once a turn, and of a cache once, until the files change. For the stream's loop.</summary>
internal sealed class AccessSession : IDisposable
{
    // Four bytes of UTF-8 a character: a longer name is none.
    private const int MaxNameBytes = 4 * CacheName.MaxCharacters;

    private readonly AccessControl _control;
    private readonly Opening _opening;
    private readonly KnownToken _shown;
    private readonly TokenUse _use;
    private readonly CancellationTokenSource _over;
    private readonly byte[] _otherBytes = new byte[MaxNameBytes];

    private TokenTable _table;
    private TokenTable? _told;
    private KnownToken? _token;
    private CallError? _refusal;
    private CacheRights _rights;
    private int _otherLength;
    private string _otherName = "";
    private CacheRights? _otherRights;

    // The operations that the stream's own cache lets through by their field alone; none where the stream is over.
    private ulong _open;
    private long _lookAgainAt = long.MinValue;
    private long _operations;
    private long _counted;

    public AccessSession(AccessControl control, KnownToken token, Opening opening)
    {
        _control = control;
        _opening = opening;
        _shown = token;
        _token = token;
        _use = control.UseOf(token.Entry);
        _table = control.Table;
        _rights = token.Entry.In(opening.Cache);
        _over = CancellationTokenSource.CreateLinkedTokenSource(opening.Draining);
        // The file may have changed since the token was shown.
        Renew();
    }

    /// <summary>The id of the entry that its token is of; of a disposable token, the id of its issuer's.</summary>
    public string Holder => _shown.Entry.Issuer ?? _shown.Entry.Id;

    /// <summary>The name that its operations are counted by.</summary>
    public string UseName => _shown.Entry.UseName;

    /// <summary>Cancelled when the server goes away, and when the stream waits for its client though its token has gone or expired.</summary>
    public CancellationToken Reads => _over.Token;

    /// <summary>Told where the files have changed, within a second, on whichever thread finds it; null: nobody is.</summary>
    public Action? Changed { get; set; }

    /// <summary>Why the stream is over; null: it goes on.</summary>
    public CallError? Refusal => _refusal;

    /// <summary>Looks again at who the token is, where the files have changed or its end may have come.</summary>
    /// <param name="now">As <see cref="TimeProvider.GetTimestamp"/> has it.</param>
    public void BeginTurn(long now)
    {
        if (!ReferenceEquals(_table, _control.Table))
        {
            Renew();
        }
        else if (now < _lookAgainAt)
        {
            return;
        }

        DateTimeOffset wallNow = _control.Time.GetUtcNow();
        _refusal = WhyOver(_token, wallNow);
        _open = _refusal is null ? _rights.OpenFields : 0;
        _lookAgainAt = _refusal is null ? Expiry.NextLook(_control.Time, _token!.Expires, wallNow, now) : long.MinValue;
        Count();
        _use.Seen(wallNow, _opening.Address);
    }

    /// <summary>Why an operation may not run; null where it may, and where another rule refuses it.</summary>
    /// <param name="field">The call's.</param>
    /// <param name="cache">The name of its cache; empty: the stream's.</param>
    /// <param name="request">Its request.</param>
    public CallError? Refuse(int field, ReadOnlySpan<byte> cache, ReadOnlySpan<byte> request)
    {
        _operations++;
        return cache.IsEmpty && (uint)field < 64 && ((_open >> field) & 1) != 0 ? null : RefuseByPolicy(field, cache, request);
    }

    /// <summary>Counts what was done since it was counted last, and ends the wait of a stream that is over; from any thread.</summary>
    public void EndIfOver()
    {
        Count();
        TellChange();
        if (WhyOver(_control.Table.Find(_shown), _control.Time.GetUtcNow()) is null)
        {
            return;
        }

        try
        {
            _over.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The stream has just ended by itself.
        }
    }

    public void Dispose()
    {
        _control.Close(this);
        Count();
        _over.Dispose();
    }

    private void Count()
    {
        long operations = Volatile.Read(ref _operations);
        long before = Interlocked.Exchange(ref _counted, operations);
        _use.Add(operations - before);
    }

    private CallError? RefuseByPolicy(int field, ReadOnlySpan<byte> cache, ReadOnlySpan<byte> request)
    {
        if (_refusal is not null || CallPolicy.Of(field) is not { } policy)
        {
            return _refusal;
        }

        CacheRights rights = cache.IsEmpty ? _rights : RightsIn(cache);
        return rights.Has(policy.Most) ? null : RefuseSlowly(rights, policy, cache.IsEmpty ? _opening.Cache : _otherName, request);
    }

    private CallError? RefuseSlowly(CacheRights rights, CallPolicy policy, string cache, ReadOnlySpan<byte> request)
    {
        CallError? error = CacheName.IsValid(cache) ? rights.Refuse(policy, request, cache) : null;
        if (error is { Code: StatusCode.PermissionDenied })
        {
            _opening.Denied(_token!.Entry.Id, policy.Path, cache);
        }

        return error;
    }

    private static CallError? WhyOver(KnownToken? token, DateTimeOffset now) =>
        token is null ? AccessErrors.UnknownToken
        : token.HasExpired(now) ? AccessErrors.ExpiredToken
        : null;

    private void Renew()
    {
        _table = _control.Table;
        _token = _table.Find(_shown);
        _rights = _token?.Entry.In(_opening.Cache) ?? _rights;
        _otherRights = null;
        TellChange();
    }

    // Once for each table; the stream's loop and the watch of the files may both find it.
    private void TellChange()
    {
        TokenTable table = _control.Table;
        if (!ReferenceEquals(Interlocked.Exchange(ref _told, table), table))
        {
            Changed?.Invoke();
        }
    }

    // The last one is remembered: a stream's operations mostly name the same.
    private CacheRights RightsIn(ReadOnlySpan<byte> cache)
    {
        if (_otherRights is { } rights && cache.SequenceEqual(_otherBytes.AsSpan(0, _otherLength)))
        {
            return rights;
        }

        _otherName = Encoding.UTF8.GetString(cache);
        rights = _token!.Entry.In(_otherName);
        if (cache.Length <= MaxNameBytes)
        {
            cache.CopyTo(_otherBytes);
            _otherLength = cache.Length;
            _otherRights = rights;
        }

        return rights;
    }

    /// <summary>What is known of a stream when it opens.</summary>
    /// <param name="Cache">The cache of its operations that name none.</param>
    /// <param name="Address">Where it comes from; null: that is not known.</param>
    /// <param name="Denied">Told of each operation that is denied: the token's id, the call and the cache.</param>
    /// <param name="Draining">Cancelled when the server goes away.</param>
    internal sealed record Opening(string Cache, IPAddress? Address, Action<string, string, string> Denied, CancellationToken Draining);
}
