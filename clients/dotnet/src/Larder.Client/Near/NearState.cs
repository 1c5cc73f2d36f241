using Larder.Wire;

namespace Larder.Client.Near;

/// <summary>
/// The state of the near cache: which values are cached, and which copies are valid (NEAR-20 to NEAR-27). It uses neither the network nor a clock. The caller
/// reports the calls and the server's messages, and passes the current time, whose origin is arbitrary.
/// <para>
/// Design: lookups take no lock, so that hits scale with the number of threads. All changes take a lock. A near get is poisoned if its value may have changed
/// while the near get was in flight. Its caller gets the response, but the value is not cached. Events that poison near gets have increasing numbers. A near
/// get records the number of the last event when it begins. It is poisoned if an event for its key, for its ticket or for all keys has a higher number.
/// </para>
/// </summary>
internal sealed class NearState(long maxBytes, TimeSpan maxAge)
{
    /// <summary>The maximum size of a cached value in bytes (NEAR-24).</summary>
    public const int MaxValueBytes = 65_536;

    // The maximum duration of a lease that the client uses (NEAR-21).
    private static readonly TimeSpan s_longestLease = TimeSpan.FromSeconds(10);

    private readonly Lock _lock = new();
    private readonly NearCopies _copies = new(maxBytes);
    private readonly NearFlights _flights = new();
    private readonly NearTickets _tickets = new();
    private readonly StripedCount _hits = new();

    // The number of the near stream, or 0 if there is no near stream.
    private long _stream;
    private TimeSpan _lease;
    private long _leaseEnd = long.MinValue;
    private long _events;
    private long _allPoisonedAt;
    private long _kept;
    private long _invalidations;
    private long _clears;
    private long _poisoned;

    public NearCacheStatistics Statistics
    {
        get
        {
            lock (_lock)
            {
                return new NearCacheStatistics
                {
                    Hits = _hits.Value,
                    Kept = _kept,
                    Invalidations = _invalidations,
                    Clears = _clears,
                    Poisoned = _poisoned,
                    Evictions = _copies.Evictions,
                    Copies = _copies.Count,
                    Bytes = _copies.Bytes,
                };
            }
        }
    }

    /// <summary>Gets the number of near gets in flight.</summary>
    public int InFlight
    {
        get
        {
            lock (_lock)
            {
                return _flights.Count;
            }
        }
    }

    /// <summary>Gets all copies, including expired copies.</summary>
    public IReadOnlyList<NearCopy> Held
    {
        get
        {
            lock (_lock)
            {
                return [.. _copies.All];
            }
        }
    }

    /// <summary>
    /// Makes a stream the near stream, after the server accepted its <c>near_open</c>, which was sent at <paramref name="sentAt"/>. Removes all copies, because
    /// the previous near stream no longer invalidates them.
    /// </summary>
    public void Opened(long stream, TimeSpan sentAt, TimeSpan lease)
    {
        lock (_lock)
        {
            DropAll();
            _stream = stream;
            _lease = lease < s_longestLease ? lease : s_longestLease;
            Volatile.Write(ref _leaseEnd, (sentAt + _lease).Ticks);
        }
    }

    /// <summary>Handles the loss of a stream: the stream has ended, is draining, or was replaced. If it was the near stream, removes all copies.</summary>
    public void Lost(long stream)
    {
        lock (_lock)
        {
            if (IsNear(stream))
            {
                DropAll();
                _stream = 0;
            }
        }
    }

    /// <summary>Extends the lease after the server accepted a <c>near_renew</c> that was sent at <paramref name="sentAt"/>.</summary>
    public void Renewed(long stream, TimeSpan sentAt)
    {
        lock (_lock)
        {
            if (IsNear(stream))
            {
                Volatile.Write(ref _leaseEnd, Math.Max(_leaseEnd, (sentAt + _lease).Ticks));
            }
        }
    }

    /// <summary>Returns the valid copy for a key, or null if the key has no valid copy. Does not take the lock.</summary>
    public NearCopy? Find(in NearKey key, TimeSpan now)
    {
        // The end of the lease must be read before the copy. A new lease may begin between the two reads. If the copy was cached under the new lease, its value
        // was received after this lookup began, so the copy is valid.
        if (now.Ticks >= Volatile.Read(ref _leaseEnd) || _copies.Find(key) is not { } copy || now >= copy.EndsAt)
        {
            return null;
        }

        copy.MarkUsed();
        _hits.Add(1);
        return copy;
    }

    /// <summary>Stores a decoded value with a copy, in the same way as <see cref="NearCopies.Attach"/>.</summary>
    public void Attach(NearCopy copy, object decoded, long bytes)
    {
        lock (_lock)
        {
            _copies.Attach(copy, decoded, bytes);
        }
    }

    /// <summary>Registers a near get that is about to be written to a stream.</summary>
    public NearGet Begin(in NearKey key, long stream, TimeSpan now)
    {
        lock (_lock)
        {
            return new NearGet(_flights.Add(key), stream, _events, now);
        }
    }

    /// <summary>
    /// Handles the response to a near get. The response is a hit or a miss. For a hit, <paramref name="ticket"/> is the key's ticket plus 1, or 0 if the value
    /// must not be cached, and <paramref name="ttlLeft"/> is the item's remaining TTL.
    /// </summary>
    public void Answered(NearGet get, ItemHit? value, uint ticket, TimeSpan ttlLeft, TimeSpan now)
    {
        lock (_lock)
        {
            if (!get.IsInFlight)
            {
                return;
            }

            NearCopy? copy = CopyOf(get, value, ticket, ttlLeft, now);
            if (copy is not null && IsPoisoned(get, copy.Ticket))
            {
                _poisoned++;
                copy = null;
            }

            NearKey key = NearKey.Of(get.Flight);
            Leave(get);
            Poison(key);
            // If this response is not cached but its value equals the existing copy, the copy is kept. This matters for concurrent reads of one key: the first
            // response is cached and poisons the other near gets. Their responses would otherwise remove the copy again.
            if (copy is not null || value is null || !HoldsSame(key, value))
            {
                _copies.Drop(key);
            }

            if (copy is not null)
            {
                copy.Answer.Share();
                _copies.Add(copy);
                _kept++;
            }
        }
    }

    /// <summary>Handles a near get that ended without a response. The end of the call itself is a separate event, which <see cref="Ended"/> handles.</summary>
    public void Failed(NearGet get)
    {
        lock (_lock)
        {
            if (get.IsInFlight)
            {
                Leave(get);
            }
        }
    }

    /// <summary>
    /// Handles the end of a call that uses the key, whether it succeeded or failed. Must not be called for a near get that received a response. Must be called
    /// before the caller gets the response.
    /// </summary>
    public void Ended(in NearKey key)
    {
        lock (_lock)
        {
            DropAndPoison(key);
        }
    }

    /// <summary>
    /// Handles the end of a flush or a deletion of a cache, whether it succeeded or failed. Must be called before the caller gets the response.
    /// </summary>
    public void Flushed(string cache)
    {
        lock (_lock)
        {
            _copies.DropCache(cache);
            _flights.Poison(cache, ++_events);
        }
    }

    /// <summary>Handles the server's message that the keys with these tickets have changed or may have changed.</summary>
    public void Invalidated(long stream, ReadOnlySpan<uint> tickets)
    {
        lock (_lock)
        {
            if (!IsNear(stream))
            {
                return;
            }

            foreach (uint ticket in tickets)
            {
                _invalidations += _copies.DropTicket(ticket);
                Remember(ticket);
            }
        }
    }

    /// <summary>Handles the server's message that any value may have changed.</summary>
    public void Cleared(long stream)
    {
        lock (_lock)
        {
            if (IsNear(stream))
            {
                _clears++;
                _copies.Clear();
                _allPoisonedAt = ++_events;
            }
        }
    }

    /// <summary>Checks the invariants and throws if one is violated.</summary>
    internal void AssertValid()
    {
        lock (_lock)
        {
            _copies.AssertValid();
            if (_tickets.Count > (_flights.Count == 0 ? 0 : NearTickets.Most))
            {
                throw new InvalidOperationException($"Too many tickets are stored: {_tickets.Count} tickets for {_flights.Count} near gets in flight.");
            }
        }
    }

    private bool IsNear(long stream) => stream != 0 && stream == _stream;

    // Ends the lease, removes all copies and poisons all near gets in flight. The lease must end first: a lookup that reads the lease after this point returns
    // no copy, and a lookup that read the lease before this point began earlier, so its copy was still valid. When a stream becomes the near stream, near gets
    // that are already in flight on this stream must be poisoned too, because earlier invalidations were not sent on it.
    private void DropAll()
    {
        Volatile.Write(ref _leaseEnd, long.MinValue);
        _copies.Clear();
        _allPoisonedAt = ++_events;
    }

    // Returns the copy to cache for a response, or null if the response cannot be cached. Does not check whether the get is poisoned.
    private NearCopy? CopyOf(NearGet get, ItemHit? value, uint ticket, TimeSpan ttlLeft, TimeSpan now)
    {
        TimeSpan endsAt = get.SentAt + (ttlLeft < maxAge ? ttlLeft : maxAge);
        return value is not null && ticket != 0 && now < endsAt && IsNear(get.Stream)
            && value.Bytes.Length <= MaxValueBytes && _copies.HasRoomFor(NearCopy.BytesOf(get.Flight.Cache, get.Flight.Key, value.Bytes))
            ? new NearCopy(get.Flight, value, ticket - 1, get.SentAt, endsAt)
            : null;
    }

    private bool IsPoisoned(NearGet get, uint ticket) =>
        Math.Max(_allPoisonedAt, get.Flight.PoisonedAt) > get.BegunAt || _tickets.ArrivedAfter(ticket, get.BegunAt);

    private void Leave(NearGet get)
    {
        get.IsInFlight = false;
        _flights.Remove(get.Flight);
        if (_flights.Count == 0)
        {
            _tickets.Forget();
        }
    }

    private void DropAndPoison(in NearKey key)
    {
        _copies.Drop(key);
        Poison(key);
    }

    private bool HoldsSame(in NearKey key, ItemHit value) =>
        _copies.Find(key) is { } held && held.Answer.Bytes.AsSpan().SequenceEqual(value.Bytes);

    private void Poison(in NearKey key)
    {
        if (_flights.Find(key) is { } flight)
        {
            flight.PoisonedAt = ++_events;
        }
    }

    private void Remember(uint ticket)
    {
        if (_flights.Count > 0 && !_tickets.TryRemember(ticket, ++_events))
        {
            _allPoisonedAt = ++_events;
            _tickets.Forget();
        }
    }
}
