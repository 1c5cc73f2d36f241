namespace Larder.Server.Security;

/// <summary>
/// The tokens and keys that were removed from a file recently. A caller that presents such a token, or a token signed by such a key, uses a stale credential
/// and is not guessing (AUTH-16). Each token and key is kept for <see cref="KeptFor"/>. At most <see cref="MaxTokens"/> tokens and <see cref="MaxKeys"/> keys
/// are kept; if there are more, the oldest is dropped. Thread-safe.
/// </summary>
internal sealed class RevokedTokens(TimeProvider time)
{
    // The maximum number of tokens that are kept. It is about the number of tokens that fit into a token file. If all tokens of a file are replaced together,
    // they take roughly 3 MB here.
    public const int MaxTokens = 32_768;

    public const int MaxKeys = 4;

    /// <summary>
    /// The time for which tokens and keys are kept. It is longer than the time that orchestrators and programs need to distribute and reload a token file.
    /// </summary>
    public static readonly TimeSpan KeptFor = TimeSpan.FromMinutes(10);

    private readonly Lock _lock = new();
    private readonly HashSet<TokenDigest> _tokens = [];
    private readonly Queue<(TokenDigest Token, long Until)> _tokensByEnd = new();
    private readonly Queue<(TokenKeys Keys, long Until)> _keys = new();

    /// <summary>Gets the number of tokens that are kept.</summary>
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

    /// <summary>Adds tokens that were removed from the file.</summary>
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

    /// <summary>Adds the previous keys of a file whose keys changed. Some of them may still be in the file.</summary>
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
