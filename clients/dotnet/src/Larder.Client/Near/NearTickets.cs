namespace Larder.Client.Near;

/// <summary>
/// The last invalidation of each ticket, stored while near gets are in flight. A ticket is a number by which the server invalidates a key. Several keys may
/// share a ticket. The invalidations must be stored because a response may contain a ticket that was invalidated before the response arrived (NEAR-23).
/// </summary>
internal sealed class NearTickets
{
    /// <summary>The maximum number of stored tickets (NEAR-26).</summary>
    public const int Most = 65_536;

    // The maximum capacity of a dictionary that is cleared and reused. A larger dictionary is replaced, because clearing it takes time proportional to its
    // capacity.
    private const int KeptCapacity = 1_024;

    private Dictionary<uint, long> _arrivedAt = [];

    public int Count => _arrivedAt.Count;

    /// <summary>Records the invalidation of a ticket. Returns false and records nothing if the maximum number of tickets would be exceeded.</summary>
    public bool TryRemember(uint ticket, long at)
    {
        if (_arrivedAt.Count == Most && !_arrivedAt.ContainsKey(ticket))
        {
            return false;
        }

        _arrivedAt[ticket] = at;
        return true;
    }

    public bool ArrivedAfter(uint ticket, long at) => _arrivedAt.TryGetValue(ticket, out long cameAt) && cameAt > at;

    public void Forget()
    {
        if (_arrivedAt.Count > KeptCapacity)
        {
            _arrivedAt = [];
        }
        else
        {
            _arrivedAt.Clear();
        }
    }
}
