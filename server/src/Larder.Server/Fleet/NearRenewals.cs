namespace Larder.Server.Fleet;

/// <summary>The renewals of one near stream that wait for a confirmation by the nodes (NEAR-42). Not thread-safe.</summary>
internal sealed class NearRenewals
{
    /// <summary>
    /// The maximum number of waiting renewals. A client renews every second and its lease lasts three: with one more, the oldest can no longer extend the lease
    /// and fails.
    /// </summary>
    public const int Most = 4;

    private readonly Queue<(uint Id, long Number)> _waiting = new();

    /// <summary>Adds a renewal that the confirmation with this number completes. Returns the id of the renewal that is dropped for it, or null.</summary>
    public uint? Add(uint id, long number)
    {
        uint? oldest = _waiting.Count == Most ? _waiting.Dequeue().Id : null;
        _waiting.Enqueue((id, number));
        return oldest;
    }

    /// <summary>Removes the next renewal that the confirmation completes. Returns false if there is none.</summary>
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
