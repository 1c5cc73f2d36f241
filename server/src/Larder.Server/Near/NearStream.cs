using Larder.Server.Pipeline;

namespace Larder.Server.Near;

/// <summary>
/// A near stream with its pending notifications. The holder of the stream's output sends them with its own messages. If nobody holds it,
/// <paramref name="signal"/> must arrange the sending. Thread-safe.
/// </summary>
/// <param name="signal">Called when the queue becomes non-empty, possibly on a writer's thread, so it must be short.</param>
/// <param name="user">The user who opened the stream; all streams of a user count together (NEAR-1).</param>
internal sealed class NearStream(Action signal, string user = "")
{
    // The maximum per message: 48 KB at most.
    private const int TicketsOfMessage = 16_384;

    private readonly Lock _lock = new();
    private readonly NearQueue _queue = new();
    private readonly NearFigures _figures = new();

    // Protects the registrations below. The queue's lock may be taken while holding this one.
    private readonly Lock _noting = new();
    private readonly HashSet<long> _caches = [];
    private NearBlocks _noted = new();
    private long _lastCache = -1;
    private int _number = -1;

    /// <summary>Gets the stream's number, 0 to 127; -1 if it has none, in which case the client must not cache what it reads.</summary>
    public int Number => Volatile.Read(ref _number);

    /// <summary>Gets whether the stream has a number.</summary>
    public bool IsOpen => Number >= 0;

    /// <summary>Gets the user who opened the stream.</summary>
    public string User => user;

    public NearFigures Figures => _figures;

    /// <summary>Gets whether notifications are pending.</summary>
    public bool HasPending
    {
        get
        {
            lock (_lock)
            {
                return !_queue.IsEmpty;
            }
        }
    }

    /// <summary>Assigns a number.</summary>
    public void Open(int number) => Volatile.Write(ref _number, number);

    /// <summary>Removes the number; the stream registers nothing from now on.</summary>
    /// <returns>The blocks with its registrations.</returns>
    public NearBlocks Leave()
    {
        lock (_noting)
        {
            Volatile.Write(ref _number, -1);
            NearBlocks noted = _noted;
            _noted = new NearBlocks();
            _caches.Clear();
            _lastCache = -1;
            return noted;
        }
    }

    /// <summary>Registers for the next change of a key with this ticket, and for clears of its cache.</summary>
    /// <returns>False if the stream has no number any more: the client must not cache what it reads.</returns>
    public bool TryNote(long cache, uint ticket, NearSlots slots)
    {
        lock (_noting)
        {
            if (_number < 0)
            {
                return false;
            }

            if (cache != _lastCache)
            {
                _caches.Add(cache);
                _lastCache = cache;
            }

            _noted.Add(ticket);
            slots.Note(ticket, _number);
            return true;
        }
    }

    /// <summary>
    /// Reports that a cache was cleared. The client must drop everything if a key of that cache was registered since the last such notification.
    /// </summary>
    public void Clear(long cache)
    {
        // Called while holding the lock: if a concurrent clear of another cache finds no registrations, this one is already pending.
        lock (_noting)
        {
            if (_caches.Contains(cache))
            {
                // A concurrent get that registered its key earlier is answered after the clear, and its client does not cache the result (NEAR-22).
                _caches.Clear();
                _lastCache = -1;
                Clear();
            }
        }
    }

    /// <summary>Reports that a key with this ticket has changed.</summary>
    public void Tell(uint ticket)
    {
        bool wasEmpty;
        lock (_lock)
        {
            wasEmpty = _queue.IsEmpty;
            _queue.Add(ticket);
        }

        if (wasEmpty)
        {
            signal();
        }
    }

    /// <summary>Reports that everything may have changed.</summary>
    public void Clear()
    {
        bool wasEmpty;
        lock (_lock)
        {
            wasEmpty = _queue.IsEmpty;
            _queue.Clear();
        }

        if (wasEmpty)
        {
            signal();
        }
    }

    /// <summary>
    /// Writes pending notifications to the current message, up to the maximum of a message. The caller must hold the output. Returns true if more are
    /// pending.
    /// </summary>
    public bool WriteTo(ReplyBuffer message)
    {
        Span<uint> tickets = stackalloc uint[256];
        int left = TicketsOfMessage;
        while (left > 0)
        {
            bool isClear;
            int taken;
            lock (_lock)
            {
                isClear = _queue.TakeClear();
                taken = _queue.Take(tickets);
            }

            if (isClear)
            {
                message.WriteClear();
                _figures.Cleared();
            }

            if (taken > 0)
            {
                message.WriteInvalidated(tickets[..taken]);
                _figures.CountTickets(taken);
            }

            if (taken < tickets.Length)
            {
                return false;
            }

            left -= taken;
        }

        return HasPending;
    }
}
