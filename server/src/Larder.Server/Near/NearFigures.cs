namespace Larder.Server.Near;

/// <summary>What is counted of near streams: written by whoever has a stream's output, read by any thread.</summary>
internal sealed class NearFigures
{
    private long _gets;
    private long _tickets;
    private long _clears;
    private long _renews;

    /// <summary>Near gets whose answer could be kept.</summary>
    public long Gets => Volatile.Read(ref _gets);

    /// <summary>Tickets told.</summary>
    public long Tickets => Volatile.Read(ref _tickets);

    /// <summary>Clears told.</summary>
    public long Clears => Volatile.Read(ref _clears);

    /// <summary>Leases renewed.</summary>
    public long Renews => Volatile.Read(ref _renews);

    public void Noted() => Volatile.Write(ref _gets, _gets + 1);

    public void Told(int tickets) => Volatile.Write(ref _tickets, _tickets + tickets);

    public void Cleared() => Volatile.Write(ref _clears, _clears + 1);

    public void Renewed() => Volatile.Write(ref _renews, _renews + 1);

    /// <summary>Adds another's.</summary>
    public void Add(NearFigures other)
    {
        _gets += other.Gets;
        _tickets += other.Tickets;
        _clears += other.Clears;
        _renews += other.Renews;
    }
}
