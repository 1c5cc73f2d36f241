using System.Text;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>What the token of one stream lets it do: asked once a turn, and of a cache once, until the file of tokens changes. For the stream's loop.</summary>
internal sealed class AccessSession : IDisposable
{
    // Four bytes of UTF-8 a character: a longer name is none.
    private const int MaxNameBytes = 4 * CacheName.MaxCharacters;

    private readonly AccessControl _control;
    private readonly Action<string, string, string> _denied;
    private readonly string _cacheName;
    private readonly TokenDigest _digest;
    private readonly CancellationTokenSource _over;
    private readonly byte[] _otherBytes = new byte[MaxNameBytes];

    private TokenTable _table;
    private KnownToken? _token;
    private CallError? _refusal;
    private CacheRights _rights;
    private int _otherLength;
    private string _otherName = "";
    private CacheRights? _otherRights;

    public AccessSession(AccessControl control, KnownToken token, string cacheName, Action<string, string, string> denied, CancellationToken draining)
    {
        _control = control;
        _denied = denied;
        _token = token;
        _digest = token.Digest;
        _cacheName = cacheName;
        _table = control.Table;
        _rights = token.Entry.In(cacheName);
        _over = CancellationTokenSource.CreateLinkedTokenSource(draining);
        // The file may have changed since the token was shown.
        Renew();
    }

    /// <summary>Cancelled when the server goes away, and when the stream waits for its client though its token has gone or expired.</summary>
    public CancellationToken Reads => _over.Token;

    /// <summary>Why the stream is over; null: it goes on.</summary>
    public CallError? Refusal => _refusal;

    /// <summary>Looks again at who the token is.</summary>
    public void BeginTurn()
    {
        if (!ReferenceEquals(_table, _control.Table))
        {
            Renew();
        }

        _refusal = WhyOver(_token);
    }

    /// <summary>Why an operation may not run; null where it may, and where another rule refuses it.</summary>
    /// <param name="field">The call's.</param>
    /// <param name="cache">The name of its cache; empty: the stream's.</param>
    /// <param name="request">Its request.</param>
    public CallError? Refuse(int field, ReadOnlySpan<byte> cache, ReadOnlySpan<byte> request)
    {
        if (_refusal is not null || CallPolicy.Of(field) is not { } policy)
        {
            return _refusal;
        }

        CacheRights rights = cache.IsEmpty ? _rights : RightsIn(cache);
        return rights.Has(policy.Most) ? null : RefuseSlowly(rights, policy, cache.IsEmpty ? _cacheName : _otherName, request);
    }

    /// <summary>Ends the wait of a stream that is over; from any thread.</summary>
    public void EndIfOver()
    {
        if (WhyOver(_control.Table.Find(_digest)) is null)
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
        _over.Dispose();
    }

    private CallError? RefuseSlowly(CacheRights rights, CallPolicy policy, string cache, ReadOnlySpan<byte> request)
    {
        CallError? error = CacheName.IsValid(cache) ? rights.Refuse(policy, request, cache) : null;
        if (error is { Code: StatusCode.PermissionDenied })
        {
            _denied(_token!.Entry.Id, policy.Path, cache);
        }

        return error;
    }

    private CallError? WhyOver(KnownToken? token) =>
        token is null ? AccessErrors.UnknownToken
        : token.Entry.HasExpired(_control.Time) ? AccessErrors.ExpiredToken
        : null;

    private void Renew()
    {
        _table = _control.Table;
        _token = _table.Find(_digest);
        _rights = _token?.Entry.In(_cacheName) ?? _rights;
        _otherRights = null;
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
}
