namespace Larder.Server.Fleet;

/// <summary>The lease renewals of one near stream that wait for a confirmation by the nodes (NEAR-42). Not thread-safe.</summary>
internal sealed class NearRenewals
{
    /// <summary>
    /// The maximum number of waiting renewals. A client renews its lease every second, and the lease lasts three seconds. If one more renewal arrives, the
    /// oldest one can no longer extend the lease and fails.
    /// </summary>
    public const int Most = 4;

    private readonly Queue<(uint Id, long Number)> _waiting = new();

    /// <summary>Gets whether renewals are waiting.</summary>
    public bool HasAny => _waiting.Count > 0;

    /// <summary>
    /// Adds a renewal, and the number of the confirmation that completes it. If there are too many renewals, drops the oldest and returns its ID; otherwise
    /// returns null.
    /// </summary>
    public uint? Add(uint id, long number)
    {
        uint? oldest = _waiting.Count == Most ? _waiting.Dequeue().Id : null;
        _waiting.Enqueue((id, number));
        return oldest;
    }

    /// <summary>Removes the next renewal that the given confirmation completes. Returns false if there is no such renewal.</summary>
    public bool TryTake(long confirmed, out uint id)
    {
        id = 0;
        if (!_waiting.TryPeek(out (uint Id, long Number) oldest) || oldest.Number > confirmed)
        {
            return false;
        }

        id = _waiting.Dequeue().Id;
        return true;
    }
}
