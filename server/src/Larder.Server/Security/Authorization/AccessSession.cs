using System.Net;
using System.Text;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>
/// Checks the operations of one stream. The token is checked once per turn (one read of the stream). The rights are checked once per cache until the files
/// change. Only the stream's loop uses this class, unless stated otherwise.
/// </summary>
internal sealed class AccessSession : IDisposable
{
    // A character has at most 4 bytes in UTF-8, so a name with more bytes is invalid.
    private const int MaxNameBytes = 4 * CacheName.MaxCharacters;

    private readonly AccessControl _control;
    private readonly Opening _opening;
    private readonly AuthenticatedCaller _shown;
    private readonly TokenUse _use;
    private readonly CancellationTokenSource _over;
    private readonly byte[] _otherBytes = new byte[MaxNameBytes];

    private TokenTable _table;
    private TokenTable? _reportedTable;
    private AuthenticatedCaller? _token;
    private CallError? _refusal;
    private CacheRights _rights;
    private int _otherLength;
    private string _otherName = "";
    private CacheRights? _otherRights;

    // A bit for each pipeline field that is allowed in the default cache of the stream without further checks; 0 when the stream has ended.
    private ulong _open;
    private long _lookAgainAt = long.MinValue;
    private long _operations;
    private long _counted;

    public AccessSession(AccessControl control, AuthenticatedCaller token, Opening opening)
    {
        _control = control;
        _opening = opening;
        _shown = token;
        _token = token;
        _use = control.UseOf(token.Entry);
        _table = control.Table;
        _rights = token.Entry.In(opening.Cache);
        _over = CancellationTokenSource.CreateLinkedTokenSource(opening.Draining);
        // The files may have changed since the token was checked.
        Renew();
    }

    /// <summary>Gets the ID of the token's entry. For a disposable token, gets the ID of its issuer.</summary>
    public string Holder => _shown.Entry.Issuer ?? _shown.Entry.Id;

    /// <summary>Gets the name under which the operations of the stream are counted.</summary>
    public string UseName => _shown.Entry.UseName;

    /// <summary>
    /// Gets a token that is cancelled when the server shuts down. It is also cancelled if the access token was removed or has expired while the stream waits
    /// for its client.
    /// </summary>
    public CancellationToken Reads => _over.Token;

    /// <summary>
    /// Gets or sets a callback that is called within 1 s after the files have changed, on the thread that detects the change; null for no callback.
    /// </summary>
    public Action? Changed { get; set; }

    /// <summary>Gets the reason why the stream must end; null if it may continue.</summary>
    public CallError? Refusal => _refusal;

    /// <summary>Checks the token again if the files have changed or the token may have expired.</summary>
    /// <param name="now">The current time, as a <see cref="TimeProvider.GetTimestamp"/> value.</param>
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
        _refusal = ExpiryError(_token, wallNow);
        _open = _refusal is null ? _rights.OpenFields : 0;
        _lookAgainAt = _refusal is null ? Expiry.NextLook(_control.Time, _token!.Expires, wallNow, now) : long.MinValue;
        Count();
        _use.Seen(wallNow, _opening.Address);
    }

    /// <summary>Returns the reason why an operation must not run. Returns null if the operation is allowed, and also if a later check will reject it.</summary>
    /// <param name="field">The pipeline field of the call.</param>
    /// <param name="cache">The cache name; empty for the default cache of the stream.</param>
    /// <param name="request">The encoded request.</param>
    public CallError? Refuse(int field, ReadOnlySpan<byte> cache, ReadOnlySpan<byte> request)
    {
        _operations++;
        return cache.IsEmpty && (uint)field < 64 && ((_open >> field) & 1) != 0 ? null : RefuseByPolicy(field, cache, request);
    }

    /// <summary>
    /// Adds the operations since the previous call of this method to the usage counters. Ends a waiting stream whose token is no longer valid. Thread-safe.
    /// </summary>
    public void EndIfExpired()
    {
        Count();
        NotifyChange();
        if (ExpiryError(_control.Table.Find(_shown), _control.Time.GetUtcNow()) is null)
        {
            return;
        }

        try
        {
            _over.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The stream has ended in the meantime for another reason.
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

    private static CallError? ExpiryError(AuthenticatedCaller? token, DateTimeOffset now) =>
        token is null ? AccessErrors.UnknownToken
        : token.HasExpired(now) ? AccessErrors.ExpiredToken
        : null;

    private void Renew()
    {
        _table = _control.Table;
        _token = _table.Find(_shown);
        _rights = _token?.Entry.In(_opening.Cache) ?? _rights;
        _otherRights = null;
        NotifyChange();
    }

    // The change is handled only once per table, because both the stream's loop and the file watch may detect it.
    private void NotifyChange()
    {
        TokenTable table = _control.Table;
        if (!ReferenceEquals(Interlocked.Exchange(ref _reportedTable, table), table))
        {
            Changed?.Invoke();
        }
    }

    // Only the rights in the last cache are stored, because most operations of a stream use the same cache.
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

    /// <summary>The properties of a stream that are known when it opens.</summary>
    /// <param name="Cache">The default cache, for operations without a cache name.</param>
    /// <param name="Address">The remote address; null if unknown.</param>
    /// <param name="Denied">Called for each denied operation, with the token's ID, the call and the cache.</param>
    /// <param name="Draining">Cancelled when the server shuts down.</param>
    internal sealed record Opening(string Cache, IPAddress? Address, Action<string, string, string> Denied, CancellationToken Draining);
}
