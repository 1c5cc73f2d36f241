namespace Larder.Client.Near;

/// <summary>
/// One value that is kept. What finders look at is made once and never changes, but for the mark that it was used; the rest is <see cref="NearCopies"/>' own.
/// </summary>
internal sealed class NearCopy
{
    // NEAR-27: what a copy costs beside its key, its cache's name and its value.
    private const int OverheadBytes = 128;

    private bool _isUsed;

    public NearCopy(NearFlight of, GetResponse.Hit answer, uint ticket, TimeSpan endsAt)
    {
        Hash = of.Hash;
        Cache = of.Cache;
        Key = of.Key;
        Answer = answer;
        Value = answer.Bytes;
        Ticket = ticket;
        EndsAt = endsAt;
    }

    /// <summary>Stands where a copy was dropped: it is like no key.</summary>
    public static NearCopy Gone { get; } = new(new NearFlight(new NearKey("", [])), new GetResponse.Hit([]), 0, TimeSpan.MinValue);

    public int Hash { get; }

    public string Cache { get; }

    public byte[] Key { get; }

    public byte[] Value { get; }

    /// <summary>What every caller is answered with.</summary>
    public GetResponse.Hit Answer { get; }

    public uint Ticket { get; }

    public TimeSpan EndsAt { get; }

    public long Bytes => BytesOf(Cache, Key, Value);

    public NearCopy? Newer { get; set; }

    public NearCopy? Older { get; set; }

    public NearCopy? NextOfTicket { get; set; }

    public NearCopy? PreviousOfTicket { get; set; }

    public static long BytesOf(string cache, byte[] key, byte[] value) => (long)cache.Length + key.Length + value.Length + OverheadBytes;

    public bool Is(in NearKey key) => key.Is(Hash, Cache, Key) && !ReferenceEquals(this, Gone);

    /// <summary>Notes that it was served. Written only where it is not so yet: finders on many processors then share its line.</summary>
    public void MarkUsed()
    {
        if (!_isUsed)
        {
            _isUsed = true;
        }
    }

    /// <summary>Takes the mark away, and tells whether there was one.</summary>
    public bool Unmark()
    {
        bool wasUsed = _isUsed;
        _isUsed = false;
        return wasUsed;
    }
}
