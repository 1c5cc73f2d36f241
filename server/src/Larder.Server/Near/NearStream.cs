using System.Runtime.InteropServices;
using Larder.Server.Pipeline;

namespace Larder.Server.Near;

/// <summary>
/// A near stream with its pending notifications. The thread that holds the output of the stream sends the notifications with its own messages. If no thread
/// holds the output, <paramref name="signal"/> must cause the notifications to be sent. Thread-safe.
/// </summary>
/// <param name="signal">Called when the queue becomes non-empty. The thread that delivers changes calls it for many streams, so it must be short.</param>
/// <param name="user">The user that opened the stream. All streams of a user count together (NEAR-1).</param>
internal sealed class NearStream(Action signal, string user = "")
{
    // The maximum number of tickets per message. This number of tickets takes at most 48 KB.
    private const int TicketsOfMessage = 16_384;

    // The maximum number of caches for whose flush the stream is registered. With more caches, it is registered for the flush of any cache.
    private const int MaxCaches = 64;

    // The maximum number of blocks of registrations that a near get or a renewal removes. The delivery of changes may wait for it.
    private const int BlocksOfGet = 16;
    private const int BlocksOfRenewal = 1_024;

    private readonly Lock _lock = new();
    private readonly NearQueue _queue = new();
    private readonly NearFigures _figures = new();

    // This lock protects the five fields below. A thread that holds it may also take the lock of the queue (_lock).
    private readonly Lock _noting = new();
    private readonly HashSet<long> _caches = [];
    private NearBlocks _noted = new();
    private long _lastCache = -1;
    private int _number = -1;
    private int _forgotten;

    // The number of registrations. A change reduces it when it is delivered, so the number may be too high for a moment. It may also be too low, even negative,
    // for a moment, because a registration is counted after it is made.
    private int _registrations;

    /// <summary>
    /// Gets the number of the stream, from 0; -1 if the stream has no number. A client must not cache values that it reads on a stream without a number.
    /// </summary>
    public int Number => Volatile.Read(ref _number);

    /// <summary>Gets whether the stream has a number.</summary>
    public bool IsOpen => Number >= 0;

    /// <summary>Gets the user that opened the stream.</summary>
    public string User => user;

    /// <summary>Gets or sets the position among the streams of the user. The hub protects it.</summary>
    public LinkedListNode<NearStream>? Place { get; set; }

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

    /// <summary>Assigns a number to the stream.</summary>
    public void Open(int number)
    {
        Volatile.Write(ref _registrations, 0);
        Volatile.Write(ref _number, number);
    }

    /// <summary>
    /// Removes the number of the stream and reports that every item may have changed. The stream makes no registrations after this call. The caller must then
    /// remove the stream from the table of streams, and wake it.
    /// </summary>
    /// <param name="readers">The registrations for flushes, from which the stream is removed.</param>
    /// <returns>The blocks that contain the other registrations of the stream.</returns>
    public NearBlocks Leave(NearReaders readers)
    {
        lock (_noting)
        {
            // The clear is queued while changes are still delivered to the stream. Each change is therefore reported by its ticket or covered by the clear.
            Volatile.Write(ref _number, -1);
            AddClear();
            NearBlocks noted = _noted;
            _noted = new NearBlocks();
            ForgetCaches(readers);
            return noted;
        }
    }

    /// <summary>Registers the stream for the next change of a key with this ticket, and for clears of the key's cache.</summary>
    /// <param name="cache">The ID of the key's cache.</param>
    /// <param name="ticket">The key's ticket.</param>
    /// <param name="slots">The registrations for changes.</param>
    /// <param name="readers">The registrations for flushes.</param>
    /// <param name="limit">
    /// The maximum number of registrations for changes. If it is reached, the stream is notified of the tickets of a block, as if their keys had changed.
    /// </param>
    /// <returns>
    /// False if the stream no longer has a number, or still has too many registrations. In this case, the client must not cache the value.
    /// </returns>
    public bool TryNote(long cache, uint ticket, NearSlots slots, NearReaders readers, int limit)
    {
        lock (_noting)
        {
            if (_number < 0)
            {
                return false;
            }

            if (Volatile.Read(ref _registrations) >= limit && !slots.IsNoted(ticket, _number) && !TryMakeRoom(slots, limit, BlocksOfGet))
            {
                return false;
            }

            if (cache != _lastCache)
            {
                NoteCache(cache, readers);
            }

            _noted.Add(ticket);
            if (slots.Note(ticket, _number))
            {
                Interlocked.Increment(ref _registrations);
            }

            return true;
        }
    }

    /// <summary>Removes registrations if the stream has more than <paramref name="limit"/>, and notifies the stream as if the keys had changed.</summary>
    public void Trim(NearSlots slots, int limit)
    {
        lock (_noting)
        {
            if (_number >= 0)
            {
                TryMakeRoom(slots, limit + 1, BlocksOfRenewal);
            }
        }
    }

    /// <summary>
    /// Reports that a cache was cleared. If a key of that cache was registered since the last such report, the client must drop all its copies.
    /// </summary>
    /// <param name="cache">The ID of the cache.</param>
    /// <param name="readers">The registrations for flushes, from which the stream is removed.</param>
    /// <returns>Whether the queue was empty before. The caller must then wake the stream.</returns>
    public bool Clear(long cache, NearReaders readers)
    {
        // This method removes the registrations of all caches and queues the clear in one critical section. A concurrent clear of another cache may therefore
        // find no registrations, but then this clear is already pending.
        lock (_noting)
        {
            if (!_caches.Contains(cache) && !_caches.Contains(NearReaders.AnyCache))
            {
                return false;
            }

            // A concurrent get may have registered its key before this call. Its response is sent after the clear, so the client does not cache the value
            // (NEAR-22).
            ForgetCaches(readers);
            return AddClear();
        }
    }

    /// <summary>Reports that the keys with these tickets have changed, and that the registrations of the stream for them are used up.</summary>
    /// <returns>Whether the queue was empty before. The caller must then wake the stream.</returns>
    public bool Add(ReadOnlySpan<uint> tickets)
    {
        Interlocked.Add(ref _registrations, -tickets.Length);
        return Queue(tickets);
    }

    /// <summary>
    /// Reports that every item may have changed, and that a number of registrations of the stream are used up, without their tickets.
    /// </summary>
    /// <returns>Whether the queue was empty before. The caller must then wake the stream.</returns>
    public bool AddCleared(int used)
    {
        Interlocked.Add(ref _registrations, -used);
        return AddClear();
    }

    /// <summary>
    /// Reports that every item may have changed, and removes the registrations for flushes. Does not allocate memory. The caller must then wake the stream,
    /// whether or not its queue was empty.
    /// </summary>
    public void Reset(NearReaders readers)
    {
        lock (_noting)
        {
            ForgetCaches(readers);
            AddClear();
        }
    }

    /// <summary>Reports that every item may have changed.</summary>
    public void Clear()
    {
        if (AddClear())
        {
            signal();
        }
    }

    /// <summary>Causes the pending notifications to be sent.</summary>
    public void Wake() => signal();

    /// <summary>
    /// Writes pending notifications into the current message, up to the maximum number per message. The caller must hold the output of the stream. Returns
    /// whether more notifications are pending.
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

    // Returns whether the queue was empty before and is not empty now.
    private bool Queue(ReadOnlySpan<uint> tickets)
    {
        lock (_lock)
        {
            bool wasEmpty = _queue.IsEmpty;
            _queue.Add(tickets);
            return wasEmpty && !_queue.IsEmpty;
        }
    }

    private bool AddClear()
    {
        lock (_lock)
        {
            bool wasEmpty = _queue.IsEmpty;
            _queue.Clear();
            return wasEmpty;
        }
    }

    // Makes the registration before it is recorded. If there is no memory for the record, the next get makes the registration again.
    private void NoteCache(long cache, NearReaders readers)
    {
        long noted = _caches.Count < MaxCaches ? cache : NearReaders.AnyCache;
        if (!_caches.Contains(cache) && !_caches.Contains(noted))
        {
            readers.Add(noted, this);
            _caches.Add(noted);
        }

        _lastCache = cache;
    }

    private void ForgetCaches(NearReaders readers)
    {
        foreach (long cache in _caches)
        {
            readers.Remove(cache, this);
        }

        _caches.Clear();
        _lastCache = -1;
    }

    // Removes registrations block by block until there are fewer than the limit, and notifies the stream as if the keys had changed. Returns false if the
    // maximum number of blocks was not enough. Another thread may send a renewal at the same time, so the tickets are queued before their registrations are
    // removed.
    private bool TryMakeRoom(NearSlots slots, int limit, int maxBlocks)
    {
        List<uint> noted = new(NearBlocks.Tickets);
        for (int blocks = 0; Volatile.Read(ref _registrations) >= limit; blocks++)
        {
            if (blocks == maxBlocks)
            {
                return false;
            }

            if (!_noted.TryTake(ref _forgotten, out uint first))
            {
                // No registration is left. The number was too high because a failed delivery did not count the registrations that it had used up.
                Volatile.Write(ref _registrations, 0);
                return true;
            }

            noted.Clear();
            slots.Find(_number, first, noted);
            if (Queue(CollectionsMarshal.AsSpan(noted)))
            {
                signal();
            }

            Interlocked.Add(ref _registrations, -slots.Forget(_number, first));
        }

        return true;
    }
}
