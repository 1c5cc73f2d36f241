namespace Larder.Store;

/// <summary>TTL updates that depend on how a value begins.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>The most bytes of a prefix that <see cref="UpdateTtlIfPrefix"/> compares with or shows.</summary>
    public const int MaxPrefixBytes = 64;

    /// <summary>Overwrites a live entry's TTL if its value begins with <paramref name="prefix"/>.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="prefix">At most <see cref="MaxPrefixBytes"/>; an empty one matches no value.</param>
    /// <param name="ttlMs">Milliseconds until the entry expires, from now.</param>
    /// <param name="head">Receives the value's first bytes where the outcome is <see cref="TtlUpdateOutcome.Different"/>.</param>
    /// <param name="headBytes">Bytes written to <paramref name="head"/>.</param>
    /// <exception cref="ArgumentException">The key is empty, the prefix too long or the TTL out of range.</exception>
    public TtlUpdateOutcome UpdateTtlIfPrefix(ReadOnlySpan<byte> key, ReadOnlySpan<byte> prefix, long ttlMs, Span<byte> head, out int headBytes)
    {
        _store.CheckTtl(ttlMs);
        if (prefix.Length > MaxPrefixBytes)
        {
            throw new ArgumentException($"A prefix has at most {MaxPrefixBytes} bytes.", nameof(prefix));
        }

        Shard shard = ShardOf(key, out ulong hash);
        PrefixCondition condition = new(prefix, head);
        TtlUpdateOutcome outcome = shard.UpdateTtl(this, KeyHash.InShard(hash), key, TtlUpdate.OverwriteTo, ttlMs, ref condition);
        headBytes = condition.HeadBytes;
        if (outcome == TtlUpdateOutcome.Set)
        {
            Changed(hash);
        }

        return outcome;
    }
}
