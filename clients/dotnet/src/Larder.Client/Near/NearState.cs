using Larder.Wire;

namespace Larder.Client.Near;

/// <summary>
/// What a client keeps and serves of what it reads (NEAR-20 to NEAR-27): functions of its calls' ends, the server's messages and a clock, without a network.
/// Times are from any beginning.
/// <para>
/// Design. Finding takes no lock, so that a hit costs the same on however many threads; all that changes anything takes one. Events that poison have numbers,
/// and so has the beginning of each near get: it is poisoned where an event of its key, of its ticket or of all has a higher one.
/// </para>
/// </summary>
internal sealed class NearState(long maxBytes, TimeSpan maxAge)
{
    /// <summary>Longer values are not kept (NEAR-24).</summary>
    public const int MaxValueBytes = 65_536;

    // NEAR-21.
    private static readonly TimeSpan s_longestLease = TimeSpan.FromSeconds(10);

    private readonly Lock _lock = new();
    private readonly NearCopies _copies = new(maxBytes);
    private readonly NearFlights _flights = new();
    private readonly NearTickets _tickets = new();
    private readonly StripedCount _hits = new();

    // 0: there is none.
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

    /// <summary>Near gets in flight.</summary>
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

    /// <summary>The copies held, whether they may be served or not.</summary>
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

    /// <summary>A stream became the near stream, by a <c>near_open</c> that was sent then. What belonged to another goes.</summary>
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

    /// <summary>A stream is lost, replaced, draining or at its end.</summary>
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

    /// <summary>A <c>near_renew</c> that was sent then has been answered.</summary>
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

    /// <summary>The copy of a key that may be served now; null: there is none. By any thread.</summary>
    public NearCopy? Find(in NearKey key, TimeSpan now)
    {
        // The lease before the copy: one that was kept under a later lease came from the server since this began, and may be shown.
        if (now.Ticks >= Volatile.Read(ref _leaseEnd) || _copies.Find(key) is not { } copy || now >= copy.EndsAt)
        {
            return null;
        }

        copy.MarkUsed();
        _hits.Add(1);
        return copy;
    }

    /// <summary>A near get is written into a stream.</summary>
    public NearGet Begin(in NearKey key, long stream, TimeSpan now)
    {
        lock (_lock)
        {
            return new NearGet(_flights.Add(key), stream, _events, now);
        }
    }

    /// <summary>A near get was answered: with a value or none, the wire's ticket (the key's and 1; 0: none) and the time that the value has left.</summary>
    public void Answered(NearGet get, GetResponse.Hit? value, uint ticket, TimeSpan ttlLeft, TimeSpan now)
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
            // What says the same as the copy is no reason to drop it: nobody can tell the two apart. So of many that read one key at once the first keeps it
            // for all; the others, which it poisons, would drop it again.
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

    /// <summary>A near get ended without an answer. What its caller is told is another matter: <see cref="Ended"/>.</summary>
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

    /// <summary>Any other call that names the key has ended, whatever its end; its caller has not seen it yet.</summary>
    public void Ended(in NearKey key)
    {
        lock (_lock)
        {
            DropAndPoison(key);
        }
    }

    /// <summary>A flush or deletion of a cache has ended, whatever its end; its caller has not seen it yet.</summary>
    public void Flushed(string cache)
    {
        lock (_lock)
        {
            _copies.DropCache(cache);
            _flights.Poison(cache, ++_events);
        }
    }

    /// <summary>Tickets came: what they stand for has changed, or may have.</summary>
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

    /// <summary>The server told that everything may have changed.</summary>
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

    /// <summary>Walks the invariants. Throws where one does not hold.</summary>
    internal void AssertValid()
    {
        lock (_lock)
        {
            _copies.AssertValid();
            if (_tickets.Count > (_flights.Count == 0 ? 0 : NearTickets.Most))
            {
                throw new InvalidOperationException($"{_tickets.Count} tickets are remembered for {_flights.Count} near gets in flight.");
            }
        }
    }

    private bool IsNear(long stream) => stream != 0 && stream == _stream;

    // The lease first: a finder that looks at it later finds none, and one that did so before began before. What is in flight on a stream that is the near
    // stream only now is poisoned as well: what was invalidated there until now was not heard.
    private void DropAll()
    {
        Volatile.Write(ref _leaseEnd, long.MinValue);
        _copies.Clear();
        _allPoisonedAt = ++_events;
    }

    // What would be kept of an answer; null: nothing, whatever came meanwhile.
    private NearCopy? CopyOf(NearGet get, GetResponse.Hit? value, uint ticket, TimeSpan ttlLeft, TimeSpan now)
    {
        TimeSpan endsAt = get.SentAt + (ttlLeft < maxAge ? ttlLeft : maxAge);
        return value is not null && ticket != 0 && now < endsAt && IsNear(get.Stream)
            && value.Bytes.Length <= MaxValueBytes && _copies.HasRoomFor(NearCopy.BytesOf(get.Flight.Cache, get.Flight.Key, value.Bytes))
            ? new NearCopy(get.Flight, value, ticket - 1, endsAt)
            : null;
    }

    private bool IsPoisoned(NearGet get, uint ticket) =>
        Math.Max(_allPoisonedAt, get.Flight.PoisonedAt) > get.BegunAt || _tickets.CameAfter(ticket, get.BegunAt);

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

    private bool HoldsSame(in NearKey key, GetResponse.Hit value) =>
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
