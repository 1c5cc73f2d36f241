namespace Larder.Server.Near;

/// <summary>The counters of a near stream. Only the thread that holds the output of the stream writes them. Any thread may read them.</summary>
internal sealed class NearFigures
{
    private long _gets;
    private long _tickets;
    private long _clears;
    private long _renews;

    /// <summary>Gets the number of near gets whose value the client was allowed to cache.</summary>
    public long Gets => Volatile.Read(ref _gets);

    /// <summary>Gets the number of tickets that were sent.</summary>
    public long Tickets => Volatile.Read(ref _tickets);

    /// <summary>Gets the number of clears that were sent. A clear makes the client drop all its copies.</summary>
    public long Clears => Volatile.Read(ref _clears);

    /// <summary>Gets the number of lease renewals.</summary>
    public long Renews => Volatile.Read(ref _renews);

    public void Noted() => Volatile.Write(ref _gets, _gets + 1);

    public void CountTickets(int tickets) => Volatile.Write(ref _tickets, _tickets + tickets);

    public void Cleared() => Volatile.Write(ref _clears, _clears + 1);

    public void Renewed() => Volatile.Write(ref _renews, _renews + 1);

    /// <summary>Adds the counters of another instance.</summary>
    public void Add(NearFigures other)
    {
        _gets += other.Gets;
        _tickets += other.Tickets;
        _clears += other.Clears;
        _renews += other.Renews;
    }
}
