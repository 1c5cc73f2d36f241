namespace Larder.Server.Security;

/// <summary>
/// Tokens and keys that were removed from a file recently. A caller that presents one of them, or a token signed by such a key, is stale and not
/// guessing (AUTH-16). Each is remembered for <see cref="KeptFor"/>, up to <see cref="MaxTokens"/> and <see cref="MaxKeys"/>; beyond that, the oldest
/// is forgotten. Thread-safe.
/// </summary>
internal sealed class RevokedTokens(TimeProvider time)
{
    // About as many as fit in a file: roughly 3 MB if all of them are replaced at once.
    public const int MaxTokens = 32_768;

    public const int MaxKeys = 4;

    /// <summary>How long they are remembered: longer than orchestrators and programs need to distribute and reload a token file.</summary>
    public static readonly TimeSpan KeptFor = TimeSpan.FromMinutes(10);

    private readonly Lock _lock = new();
    private readonly HashSet<TokenDigest> _tokens = [];
    private readonly Queue<(TokenDigest Token, long Until)> _tokensByEnd = new();
    private readonly Queue<(TokenKeys Keys, long Until)> _keys = new();

    /// <summary>Gets the number of tokens remembered.</summary>
    public int Tokens
    {
        get
        {
            lock (_lock)
            {
                Forget();
                return _tokens.Count;
            }
        }
    }

    /// <summary>Remembers removed tokens.</summary>
    public void Add(IEnumerable<TokenDigest> tokens)
    {
        lock (_lock)
        {
            Forget();
            long until = Until();
            foreach (TokenDigest token in tokens.Where(_tokens.Add))
            {
                _tokensByEnd.Enqueue((token, until));
                if (_tokens.Count > MaxTokens)
                {
                    _tokens.Remove(_tokensByEnd.Dequeue().Token);
                }
            }
        }
    }

    /// <summary>Remembers keys that were removed or may have been.</summary>
    public void Add(TokenKeys keys)
    {
        lock (_lock)
        {
            Forget();
            if (_keys.Count == MaxKeys)
            {
                _keys.Dequeue();
            }

            _keys.Enqueue((keys, Until()));
        }
    }

    /// <summary>Returns whether a token was valid until recently.</summary>
    public bool Has(string token)
    {
        TokenKeys[] keys;
        lock (_lock)
        {
            Forget();
            if (TokenDigest.TryOf(token, out TokenDigest digest) && _tokens.Contains(digest))
            {
                return true;
            }

            keys = [.. _keys.Select(static each => each.Keys)];
        }

        return DisposableToken.IsOne(token) && keys.Any(each => DisposableToken.Verify(token, each) is not null);
    }

    private long Until() => time.GetTimestamp() + (long)(KeptFor.TotalSeconds * time.TimestampFrequency);

    private void Forget()
    {
        long now = time.GetTimestamp();
        while (_tokensByEnd.TryPeek(out (TokenDigest Token, long Until) oldest) && now >= oldest.Until)
        {
            _tokens.Remove(_tokensByEnd.Dequeue().Token);
        }

        while (_keys.TryPeek(out (TokenKeys Keys, long Until) oldest) && now >= oldest.Until)
        {
            _keys.Dequeue();
        }
    }
}
