namespace Larder.Client.Near;

/// <summary>
/// A cached value. The properties that lookups read never change, except for the mark that shows that the copy was used. The other fields are used only by
/// <see cref="NearCopies"/>.
/// </summary>
internal sealed class NearCopy
{
    // NEAR-27: the size of a copy is the bytes of its key, its cache's name and its value, plus this overhead.
    private const int OverheadBytes = 128;

    private bool _isUsed;

    public NearCopy(NearFlight of, ItemHit answer, uint ticket, TimeSpan endsAt)
    {
        Hash = of.Hash;
        Cache = of.Cache;
        Key = of.Key;
        Answer = answer;
        Value = answer.Bytes;
        Ticket = ticket;
        EndsAt = endsAt;
    }

    /// <summary>Gets the tombstone that replaces a removed copy in the table. It matches no key.</summary>
    public static NearCopy Gone { get; } = new(new NearFlight(new NearKey("", [])), new ItemHit([]), 0, TimeSpan.MinValue);

    public int Hash { get; }

    public string Cache { get; }

    public byte[] Key { get; }

    public byte[] Value { get; }

    /// <summary>Gets the response that is returned to every caller.</summary>
    public ItemHit Answer { get; }

    public uint Ticket { get; }

    public TimeSpan EndsAt { get; }

    public long Bytes => BytesOf(Cache, Key, Value);

    public NearCopy? Newer { get; set; }

    public NearCopy? Older { get; set; }

    public NearCopy? NextOfTicket { get; set; }

    public NearCopy? PreviousOfTicket { get; set; }

    public static long BytesOf(string cache, byte[] key, byte[] value) => (long)cache.Length + key.Length + value.Length + OverheadBytes;

    public bool Is(in NearKey key) => key.Is(Hash, Cache, Key) && !ReferenceEquals(this, Gone);

    /// <summary>Marks the copy as used. Does not write if the copy is already marked, so that the cache line stays shared between processors.</summary>
    public void MarkUsed()
    {
        if (!_isUsed)
        {
            _isUsed = true;
        }
    }

    /// <summary>Clears the mark. Returns whether it was set.</summary>
    public bool Unmark()
    {
        bool wasUsed = _isUsed;
        _isUsed = false;
        return wasUsed;
    }
}
