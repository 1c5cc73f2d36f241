using Larder.Wire;

namespace Larder.Client.Near;

/// <summary>
/// The state of the near cache: what is cached and what may be served (NEAR-20 to NEAR-27). It depends only on the ends of calls, the server's messages and the
/// times passed in. The origin of times is arbitrary.
/// <para>
/// Design: lookups take no lock, so a hit scales with the number of threads; all changes take one. A near get is poisoned if its value may have changed while
/// it was in flight: it is answered, but its value is not cached. Events that poison near gets have increasing numbers. A near get records the last number when
/// it begins, and is poisoned if an event for its key, for its ticket or for everything has a higher one.
/// </para>
/// </summary>
internal sealed class NearState(long maxBytes, TimeSpan maxAge)
{
    /// <summary>The maximum size of a cached value in bytes (NEAR-24).</summary>
    public const int MaxValueBytes = 65_536;

    // NEAR-21.
    private static readonly TimeSpan s_longestLease = TimeSpan.FromSeconds(10);

    private readonly Lock _lock = new();
    private readonly NearCopies _copies = new(maxBytes);
    private readonly NearFlights _flights = new();
    private readonly NearTickets _tickets = new();
    private readonly StripedCount _hits = new();

    // 0 if there is no near stream.
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

    /// <summary>All copies, whether they may be served or not.</summary>
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
    /// Makes a stream the near stream, by a <c>near_open</c> that was sent at <paramref name="sentAt"/>. Drops the copies of the previous one.
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

    /// <summary>Handles a stream that is lost, replaced, draining or at its end.</summary>
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

    /// <summary>Extends the lease by a <c>near_renew</c> that was sent at <paramref name="sentAt"/> and has been answered.</summary>
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

    /// <summary>Returns the copy of a key that may be served now, or null. Thread-safe.</summary>
    public NearCopy? Find(in NearKey key, TimeSpan now)
    {
        // Read the lease before the copy: a copy cached under a later lease was received after this call began, so it may be served.
        if (now.Ticks >= Volatile.Read(ref _leaseEnd) || _copies.Find(key) is not { } copy || now >= copy.EndsAt)
        {
            return null;
        }

        copy.MarkUsed();
        _hits.Add(1);
        return copy;
    }

    /// <summary>Registers a near get that is written to a stream.</summary>
    public NearGet Begin(in NearKey key, long stream, TimeSpan now)
    {
        lock (_lock)
        {
            return new NearGet(_flights.Add(key), stream, _events, now);
        }
    }

    /// <summary>
    /// Handles the response to a near get: a hit or a miss, the ticket on the wire (the key's ticket plus 1; 0 for none) and the remaining TTL.
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
            // If the value equals the copy, the copy can stay, because callers cannot tell them apart. Of many concurrent reads of one key, the first caches
            // the value for all; the others, which it poisons, would otherwise drop it again.
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

    /// <summary>Handles a near get that ended without a response. The error that its caller gets is handled by <see cref="Ended"/>.</summary>
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

    /// <summary>Handles the end of any other call that names the key, in success or failure. Its caller has not seen it yet.</summary>
    public void Ended(in NearKey key)
    {
        lock (_lock)
        {
            DropAndPoison(key);
        }
    }

    /// <summary>Handles the end of a flush or a deletion of a cache, in success or failure. Its caller has not seen it yet.</summary>
    public void Flushed(string cache)
    {
        lock (_lock)
        {
            _copies.DropCache(cache);
            _flights.Poison(cache, ++_events);
        }
    }

    /// <summary>Handles tickets whose keys have changed or may have changed.</summary>
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

    /// <summary>Handles the server's report that everything may have changed.</summary>
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
                throw new InvalidOperationException($"{_tickets.Count} tickets are stored for {_flights.Count} near gets in flight.");
            }
        }
    }

    private bool IsNear(long stream) => stream != 0 && stream == _stream;

    // End the lease first: a lookup that reads it later finds no copy, and one that read it earlier began earlier. Near gets in flight on a stream that becomes
    // the near stream only now are poisoned too, because earlier invalidations were not received on it.
    private void DropAll()
    {
        Volatile.Write(ref _leaseEnd, long.MinValue);
        _copies.Clear();
        _allPoisonedAt = ++_events;
    }

    // Returns the copy to cache for a response, or null if it is not cacheable. Does not check whether the get is poisoned.
    private NearCopy? CopyOf(NearGet get, ItemHit? value, uint ticket, TimeSpan ttlLeft, TimeSpan now)
    {
        TimeSpan endsAt = get.SentAt + (ttlLeft < maxAge ? ttlLeft : maxAge);
        return value is not null && ticket != 0 && now < endsAt && IsNear(get.Stream)
            && value.Bytes.Length <= MaxValueBytes && _copies.HasRoomFor(NearCopy.BytesOf(get.Flight.Cache, get.Flight.Key, value.Bytes))
            ? new NearCopy(get.Flight, value, ticket - 1, endsAt)
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
