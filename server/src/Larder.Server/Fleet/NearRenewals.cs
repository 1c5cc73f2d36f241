namespace Larder.Server.Fleet;

/// <summary>The renewals of one near stream that wait for the nodes (NEAR-42). For one thread at a time.</summary>
internal sealed class NearRenewals
{
    /// <summary>
    /// That wait at most. A client asks each second and its lease is three: with one more the oldest can renew nothing any more, and is answered an error.
    /// </summary>
    public const int Most = 4;

    private readonly Queue<(uint Id, long Number)> _waiting = new();

    /// <summary>One that is answered with the confirmation of this number. Returns the one that is given up for it; null: none is.</summary>
    public uint? Add(uint id, long number)
    {
        uint? oldest = _waiting.Count == Most ? _waiting.Dequeue().Id : null;
        _waiting.Enqueue((id, number));
        return oldest;
    }

    /// <summary>Takes one that a confirmation answers; false where there is none any more.</summary>
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
