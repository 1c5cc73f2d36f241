namespace Larder.Store;

/// <summary>TTL updates that depend on a prefix of the value.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>The maximum length of a prefix for <see cref="UpdateTtlIfPrefix"/>, in bytes.</summary>
    public const int MaxPrefixBytes = 64;

    /// <summary>Sets the TTL of a live entry if its value begins with <paramref name="prefix"/>.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="prefix">The prefix: at most <see cref="MaxPrefixBytes"/> bytes. An empty prefix matches no value.</param>
    /// <param name="ttlMs">The time to live in milliseconds from now.</param>
    /// <param name="head">Receives the first bytes of the value if the outcome is <see cref="TtlUpdateOutcome.Different"/>.</param>
    /// <param name="headBytes">The number of bytes written to <paramref name="head"/>.</param>
    /// <exception cref="ArgumentException">The key is empty, the prefix is too long, or the TTL is out of range.</exception>
    public TtlUpdateOutcome UpdateTtlIfPrefix(ReadOnlySpan<byte> key, ReadOnlySpan<byte> prefix, long ttlMs, Span<byte> head, out int headBytes)
    {
        _store.CheckTtl(ttlMs);
        if (prefix.Length > MaxPrefixBytes)
        {
            throw new ArgumentException($"A prefix must be at most {MaxPrefixBytes} bytes.", nameof(prefix));
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
