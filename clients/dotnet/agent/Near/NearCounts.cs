namespace Larder.Agent;

/// <summary>What a <c>near</c> run counts; each field is added to by any thread.</summary>
internal sealed class NearCounts
{
    /// <summary>Reads that did not fail.</summary>
    public long Reads;

    /// <summary>Of them such as no copy may answer.</summary>
    public long PlainReads;

    /// <summary>Of them those that found nothing.</summary>
    public long Misses;

    /// <summary>Writes that finished.</summary>
    public long Writes;

    /// <summary>Of them deletes.</summary>
    public long Deletes;

    /// <summary>Reads that a copy answered, as the client counts them.</summary>
    public long Hits { get; private init; }

    /// <summary>The same as they are now, with the client's count.</summary>
    public NearCounts With(long hits) => new()
    {
        Reads = Interlocked.Read(ref Reads),
        PlainReads = Interlocked.Read(ref PlainReads),
        Misses = Interlocked.Read(ref Misses),
        Writes = Interlocked.Read(ref Writes),
        Deletes = Interlocked.Read(ref Deletes),
        Hits = hits,
    };
}
