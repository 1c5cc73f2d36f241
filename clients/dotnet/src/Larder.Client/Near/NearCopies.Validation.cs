namespace Larder.Client.Near;

/// <content>Checks of the invariants that hold between two changes.</content>
internal sealed partial class NearCopies
{
    /// <summary>Checks the invariants and throws if one is violated.</summary>
    public void AssertValid()
    {
        int count = 0;
        long bytes = 0;
        HashSet<NearCopy> ofTickets = [.. _byTicket.Values.SelectMany(InChain)];
        foreach (NearCopy copy in All)
        {
            count++;
            bytes += copy.Bytes;
            Require(Find(NearKey.Of(copy)) == copy, "a copy is not found");
            Require(ofTickets.Contains(copy), "a copy is not in the list of its ticket");
        }

        Require(count == Count && bytes == Bytes && ofTickets.Count == Count, $"{count} copies of {bytes} bytes are counted as {Count} of {Bytes}");
        Require(_slots.Count(static slot => slot is not null && slot != NearCopy.Gone) == Count, "the table contains copies that are not counted");
        int taken = _slots.Count(static slot => slot is not null);
        Require(taken == _taken, $"{taken} slots are taken, but {_taken} are counted");
        Require(4 * _taken <= 3 * _slots.Length, $"the table is too full: {_taken} of {_slots.Length} slots are taken, and at most 3/4 may be");
        Require(Bytes <= maxBytes, $"the copies take {Bytes} bytes, more than the limit of {maxBytes}");
    }

    private static IEnumerable<NearCopy> InChain(NearCopy? first)
    {
        for (NearCopy? copy = first; copy is not null; copy = copy.NextOfTicket)
        {
            yield return copy;
        }
    }

    private static void Require(bool holds, string otherwise)
    {
        if (!holds)
        {
            throw new InvalidOperationException(otherwise);
        }
    }
}
