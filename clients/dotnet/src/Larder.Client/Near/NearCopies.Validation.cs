namespace Larder.Client.Near;

/// <content>Checks the invariants that hold whenever no change is in progress.</content>
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
            Require(Find(NearKey.Of(copy)) == copy, "a copy cannot be found by its key");
            Require(ofTickets.Contains(copy), "a copy is not in the list of its ticket");
        }

        Require(
            count == Count && bytes == Bytes && ofTickets.Count == Count,
            $"the lists contain {count} copies with {bytes} bytes, but the counters are {Count} and {Bytes}");
        Require(_slots.Count(static slot => slot is not null && slot != NearCopy.Gone) == Count, "the number of copies in the table differs from the counter");
        int taken = _slots.Count(static slot => slot is not null);
        Require(taken == _taken, $"the table has {taken} used slots, but the counter is {_taken}");
        Require(4 * _taken <= 3 * _slots.Length, $"the table must have at most 3/4 of its slots in use, but has {_taken} of {_slots.Length}");
        Require(Bytes <= maxBytes, $"the copies have {Bytes} bytes, more than the limit of {maxBytes} bytes");
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
