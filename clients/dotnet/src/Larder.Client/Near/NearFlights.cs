namespace Larder.Client.Near;

/// <summary>
/// The near gets in flight, by key. There are never more near gets than calls in flight. The concurrency limit, or the number of the stream's ids, limits the
/// number of calls in flight.
/// </summary>
internal sealed class NearFlights
{
    private NearFlight?[] _buckets = new NearFlight?[16];
    private int _keys;

    /// <summary>Gets the number of near gets in flight for all keys together.</summary>
    public int Count { get; private set; }

    public NearFlight? Find(in NearKey key)
    {
        NearFlight? flight = _buckets[key.Hash & (_buckets.Length - 1)];
        while (flight is not null && !key.Is(flight.Hash, flight.Cache, flight.Key))
        {
            flight = flight.Next;
        }

        return flight;
    }

    /// <summary>Adds a near get of a key.</summary>
    public NearFlight Add(in NearKey key)
    {
        NearFlight flight = Find(key) ?? Insert(new NearFlight(key));
        flight.Count++;
        Count++;
        return flight;
    }

    /// <summary>Removes a near get.</summary>
    public void Remove(NearFlight flight)
    {
        Count--;
        if (--flight.Count == 0)
        {
            Unlink(flight);
        }
    }

    /// <summary>Poisons all near gets of one cache, so that their values are not cached.</summary>
    public void Poison(string cache, long at)
    {
        foreach (NearFlight? first in _buckets)
        {
            for (NearFlight? flight = first; flight is not null; flight = flight.Next)
            {
                flight.PoisonedAt = flight.Cache == cache ? at : flight.PoisonedAt;
            }
        }
    }

    private NearFlight Insert(NearFlight flight)
    {
        if (++_keys > _buckets.Length)
        {
            Grow();
        }

        Link(_buckets, flight);
        return flight;
    }

    private void Grow()
    {
        NearFlight?[] larger = new NearFlight?[_buckets.Length * 2];
        foreach (NearFlight? first in _buckets)
        {
            for (NearFlight? flight = first; flight is not null;)
            {
                NearFlight? next = flight.Next;
                Link(larger, flight);
                flight = next;
            }
        }

        _buckets = larger;
    }

    private static void Link(NearFlight?[] buckets, NearFlight flight)
    {
        ref NearFlight? first = ref buckets[flight.Hash & (buckets.Length - 1)];
        flight.Next = first;
        first = flight;
    }

    private void Unlink(NearFlight flight)
    {
        _keys--;
        ref NearFlight? first = ref _buckets[flight.Hash & (_buckets.Length - 1)];
        if (first == flight)
        {
            first = flight.Next;
            return;
        }

        NearFlight before = first!;
        while (before.Next != flight)
        {
            before = before.Next!;
        }

        before.Next = flight.Next;
    }
}
