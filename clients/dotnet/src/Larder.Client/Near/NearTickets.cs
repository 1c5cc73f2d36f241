namespace Larder.Client.Near;

/// <summary>When each ticket came last, for as long as a near get is in flight: it may name a ticket that came before its answer (NEAR-23).</summary>
internal sealed class NearTickets
{
    /// <summary>Tickets that are remembered at most (NEAR-26).</summary>
    public const int Most = 65_536;

    // A table that was larger once is not emptied each time, but made anew.
    private const int KeptCapacity = 1_024;

    private Dictionary<uint, long> _cameAt = [];

    public int Count => _cameAt.Count;

    /// <summary>Remembers. False where that would be one too many.</summary>
    public bool TryRemember(uint ticket, long at)
    {
        if (_cameAt.Count == Most && !_cameAt.ContainsKey(ticket))
        {
            return false;
        }

        _cameAt[ticket] = at;
        return true;
    }

    public bool CameAfter(uint ticket, long at) => _cameAt.TryGetValue(ticket, out long cameAt) && cameAt > at;

    public void Forget()
    {
        if (_cameAt.Count > KeptCapacity)
        {
            _cameAt = [];
        }
        else
        {
            _cameAt.Clear();
        }
    }
}
