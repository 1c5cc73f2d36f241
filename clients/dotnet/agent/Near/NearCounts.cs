namespace Larder.Agent;

/// <summary>The counters of a <c>near</c> run. Any thread may increment the fields.</summary>
internal sealed class NearCounts
{
    /// <summary>The number of successful reads.</summary>
    public long Reads;

    /// <summary>The number of successful reads that bypass the near cache.</summary>
    public long PlainReads;

    /// <summary>The number of successful reads that found nothing.</summary>
    public long Misses;

    /// <summary>The number of successful writes.</summary>
    public long Writes;

    /// <summary>The number of successful deletes, which are also writes.</summary>
    public long Deletes;

    /// <summary>Gets the number of near cache hits, as counted by the client.</summary>
    public long Hits { get; private init; }

    /// <summary>Returns a snapshot that includes the client's hit count.</summary>
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
