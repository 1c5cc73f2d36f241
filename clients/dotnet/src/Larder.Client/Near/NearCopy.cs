namespace Larder.Client.Near;

/// <summary>
/// A cached value. Of the properties that lookups read, only two change: the mark that shows that the copy was used, and the decoded value. Only
/// <see cref="NearCopies"/> uses the other fields.
/// </summary>
internal sealed class NearCopy
{
    // NEAR-27: the size of a copy is the bytes of its key, its cache's name and its value, plus this overhead.
    private const int OverheadBytes = 128;

    private bool _isUsed;
    private object? _decoded;
    private long _decodedBytes;

    public NearCopy(NearFlight of, ItemHit answer, uint ticket, TimeSpan sentAt, TimeSpan endsAt)
    {
        Hash = of.Hash;
        Cache = of.Cache;
        Key = of.Key;
        Answer = answer;
        Value = answer.Bytes;
        Ticket = ticket;
        SentAt = sentAt;
        EndsAt = endsAt;
    }

    /// <summary>Gets the tombstone that replaces a removed copy in the table. It matches no key.</summary>
    public static NearCopy Gone { get; } = new(new NearFlight(new NearKey("", [])), new ItemHit([]), 0, TimeSpan.MinValue, TimeSpan.MinValue);

    public int Hash { get; }

    public string Cache { get; }

    public byte[] Key { get; }

    public byte[] Value { get; }

    /// <summary>Gets the response that is returned to every caller.</summary>
    public ItemHit Answer { get; }

    public uint Ticket { get; }

    /// <summary>Gets when the near get that returned the value was sent.</summary>
    public TimeSpan SentAt { get; }

    public TimeSpan EndsAt { get; }

    /// <summary>Gets the decoded object that a typed cache stored with this copy, or null if there is none.</summary>
    public object? Decoded => Volatile.Read(ref _decoded);

    public long Bytes => BytesOf(Cache, Key, Value) + _decodedBytes;

    public NearCopy? Newer { get; set; }

    public NearCopy? Older { get; set; }

    public NearCopy? NextOfTicket { get; set; }

    public NearCopy? PreviousOfTicket { get; set; }

    public static long BytesOf(string cache, byte[] key, byte[] value) => (long)cache.Length + key.Length + value.Length + OverheadBytes;

    /// <summary>Stores the decoded object, which adds <paramref name="bytes"/> to the size of this copy.</summary>
    public void SetDecoded(object decoded, long bytes)
    {
        _decodedBytes = bytes;
        Volatile.Write(ref _decoded, decoded);
    }

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
