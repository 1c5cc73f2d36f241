using Larder.Server.Pipeline;

namespace Larder.Server.Near;

/// <summary>
/// One near stream: what it is still to be told, and who sends it. Whoever has the stream's output sends what waits with what it sends itself; where nobody
/// has, <paramref name="signal"/> is to see to it. Safe from any thread.
/// </summary>
/// <param name="signal">Called where the queue was empty and is not any more; it may be on a writer's thread, and is to be short.</param>
/// <param name="user">Who opened it: the streams of one user count together (NEAR-1).</param>
internal sealed class NearStream(Action signal, string user = "")
{
    // What one message carries of them: 48 KB at most.
    private const int TicketsOfMessage = 16_384;

    private readonly Lock _lock = new();
    private readonly NearQueue _queue = new();
    private readonly NearFigures _figures = new();

    // What it has noted, under this lock; the queue's may be taken within it.
    private readonly Lock _noting = new();
    private readonly HashSet<long> _caches = [];
    private NearBlocks _noted = new();
    private long _lastCache = -1;
    private int _number = -1;

    /// <summary>Its number among the near streams, 0 to 127; -1: it has none, and nothing that it reads may be kept.</summary>
    public int Number => Volatile.Read(ref _number);

    /// <summary>Whether it has a number.</summary>
    public bool IsOpen => Number >= 0;

    /// <summary>Who opened it.</summary>
    public string User => user;

    /// <summary>What it was told, and how often it asked.</summary>
    public NearFigures Figures => _figures;

    /// <summary>Whether something waits.</summary>
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

    /// <summary>It has a number from now on.</summary>
    public void Open(int number) => Volatile.Write(ref _number, number);

    /// <summary>It has no number any more, and notes nothing.</summary>
    /// <returns>What it has noted.</returns>
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

    /// <summary>It is to be told when a key of this ticket changes next, and when its cache is cleared.</summary>
    /// <returns>False if it has no number any more: what it reads may not be kept.</returns>
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

    /// <summary>A cache was cleared: everything is to be dropped if a key of it was noted since the last time that everything was.</summary>
    public void Clear(long cache)
    {
        // Within the lock: when a clear of another cache finds nothing noted any more, this one waits already.
        lock (_noting)
        {
            if (_caches.Contains(cache))
            {
                // A get under way that has noted its key before is answered after the clear, and its client does not keep it (NEAR-22).
                _caches.Clear();
                _lastCache = -1;
                Clear();
            }
        }
    }

    /// <summary>A key of this ticket has changed.</summary>
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

    /// <summary>Everything may have changed.</summary>
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

    /// <summary>Writes what waits into the message that is being made, as much as one message carries; whoever has the output. True: more waits.</summary>
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
                _figures.Told(taken);
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
