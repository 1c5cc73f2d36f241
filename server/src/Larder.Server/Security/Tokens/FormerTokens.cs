namespace Larder.Server.Security;

/// <summary>
/// Tokens and keys that a file had until lately: who shows one, or one that such a key has signed, is late and does not guess (AUTH-16). Each is remembered for
/// <see cref="KeptFor"/>, at most <see cref="MaxTokens"/> and <see cref="MaxKeys"/>; past that the one that went first is forgotten. From any thread.
/// </summary>
internal sealed class FormerTokens(TimeProvider time)
{
    // As many as a file has room for, about: some 3 MB where all of it is changed at once.
    public const int MaxTokens = 32_768;

    public const int MaxKeys = 4;

    /// <summary>Longer than programs take that read their token from a file, and orchestrators that bring it to them.</summary>
    public static readonly TimeSpan KeptFor = TimeSpan.FromMinutes(10);

    private readonly Lock _lock = new();
    private readonly HashSet<TokenDigest> _tokens = [];
    private readonly Queue<(TokenDigest Token, long Until)> _tokensByEnd = new();
    private readonly Queue<(TokenKeys Keys, long Until)> _keys = new();

    /// <summary>Tokens that are remembered now.</summary>
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

    /// <summary>Remembers tokens that are gone.</summary>
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

    /// <summary>Remembers keys that are gone, or may be.</summary>
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

    /// <summary>Whether a token held until lately.</summary>
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
