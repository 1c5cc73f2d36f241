using Larder.Store;

namespace Larder.Server.Near;

/// <summary>
/// The near streams of a server, and the delivery of changes to them. The clients of near streams keep copies of values. A ticket is a 20-bit hash of a key.
/// Before a near get reads, <see cref="TryNote"/> registers the stream for the ticket of the key. When a write has become visible, <see cref="Changed"/> is
/// called and notifies the registered streams. Thread-safe.
/// </summary>
/// <remarks>
/// A writer does not notify the streams. It moves the registrations for a ticket to a log (<see cref="NearSlots"/>), from which they are delivered to the
/// queues of the streams (<see cref="NearDelivery"/>). <see cref="Settle"/> delivers everything that was logged before. A stream calls it before each
/// message, and a lease is renewed only after it (NEAR-7).
/// </remarks>
/// <param name="watch">
/// Called with the hub when the first stream opens, so that the hub receives changes. Called with null after the last stream has closed.
/// </param>
/// <param name="maxStreams">The maximum number of near streams.</param>
internal sealed class NearHub(Action<IChangeWatch?> watch, int maxStreams = NearHub.DefaultMaxStreams) : IChangeWatch
{
    /// <summary>The default maximum number of near streams.</summary>
    public const int DefaultMaxStreams = 5_000;

    /// <summary>The largest possible maximum number of near streams.</summary>
    public const int LargestMaxStreams = 20_000;

    /// <summary>
    /// The maximum number of registrations of all streams together. Each stream may have an equal share. The registrations take at most about 200 MiB: 32
    /// streams for each of the tickets, in a list of 2 bytes per stream. Sets that have shrunk may take up to 350 MiB (<see cref="NearSet.Shrunk"/>).
    /// </summary>
    public const int MaxRegistrations = 32 * KeyTicket.Count;

    /// <summary>The time for which clients may use their copies after they requested a lease, in milliseconds.</summary>
    public const int LeaseMs = 3_000;

    // Numbers in addition to the maximum of streams, for streams that have ended and whose registrations are being removed. Each removal occupies a thread.
    private const int SpareNumbers = 2_048;

    // The time for which the hub continues to watch for changes after its last stream has closed. On a gateway, each start and stop of watching opens or closes
    // connections to the nodes.
    private static readonly TimeSpan WatchGap = TimeSpan.FromMilliseconds(100);

    private readonly Lock _gate = new();
    private readonly NearStream?[] _streams = new NearStream?[maxStreams + SpareNumbers];
    private readonly NearReaders _readers = new();
    private readonly NearFigures _ended = new();
    private NearSlots? _slots;
    private NearDelivery? _delivery;
    private int _share = KeyTicket.Count;

    // The gate protects the displaced streams that have not ended, the open streams by users, and the free numbers, of which the first ones are used first.
    private readonly HashSet<NearStream> _displaced = [];
    private readonly NearUsers _users = new();
    private readonly Stack<int> _free = new(Enumerable.Range(0, maxStreams + SpareNumbers).Reverse());
    private bool _isWatching;
    private bool _isUnwatching;

    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _users.Count;
            }
        }
    }

    /// <summary>Gets the number of registrations that each stream may have.</summary>
    public int Share => Volatile.Read(ref _share);

    /// <summary>Returns the sums of the counters of all streams since startup.</summary>
    public NearFigures Figures()
    {
        NearFigures sum = new();
        lock (_gate)
        {
            sum.Add(_ended);
            foreach (NearStream stream in _streams.OfType<NearStream>().Concat(_displaced))
            {
                sum.Add(stream.Figures);
            }
        }

        return sum;
    }

    /// <summary>
    /// Assigns a number to a stream. If the maximum number of streams is open, the newest stream of the user with the most streams is displaced, provided that
    /// the user of the new stream has fewer streams (NEAR-1).
    /// </summary>
    /// <returns>False if no stream can be displaced.</returns>
    public bool TryOpen(NearStream stream)
    {
        NearStream? leaving = null;
        (int Number, NearBlocks Noted)? left = null;
        lock (_gate)
        {
            if (_slots is null)
            {
                NearSlots slots = new(_streams.Length);
                _delivery = new NearDelivery(slots, _readers, _streams);
                Volatile.Write(ref _slots, slots);
            }

            if (_users.Count == maxStreams)
            {
                leaving = _users.NewestOfLargest(stream.User);
                if (leaving is null)
                {
                    return false;
                }
            }

            if (!_free.TryPop(out int number))
            {
                return false;
            }

            if (leaving is not null)
            {
                // The stream has queued a clear before it is removed from the table (Leave).
                left = Remove(leaving);
                _displaced.Add(leaving);
                leaving.Wake();
            }

            _displaced.Remove(stream);
            stream.Open(number);
            Volatile.Write(ref _streams[number], stream);
            _users.Add(stream);
            ShareOut();
            if (!_isWatching)
            {
                _isWatching = true;
                watch(this);
            }
        }

        if (left is { } freed)
        {
            Free(freed.Number, freed.Noted);
        }

        return true;
    }

    /// <summary>Removes a stream and all its registrations (NEAR-8). The number of the stream becomes free.</summary>
    public void Close(NearStream stream)
    {
        (int Number, NearBlocks Noted) left;
        lock (_gate)
        {
            _ended.Add(stream.Figures);
            if (_displaced.Remove(stream))
            {
                return;
            }

            left = Remove(stream);
            ShareOut();
            if (_users.Count == 0 && !_isUnwatching)
            {
                _isUnwatching = true;
                _ = UnwatchAsync();
            }
        }

        Free(left.Number, left.Noted);
    }

    /// <summary>
    /// Registers the stream for a notification about the next change of a key with this ticket. The client may cache a value that is read after this call.
    /// It must drop the value when it is notified.
    /// </summary>
    /// <param name="cache">The ID of the key's cache.</param>
    /// <param name="ticket">The key's ticket.</param>
    /// <param name="stream">The stream.</param>
    /// <returns>False if the stream was displaced or has too many registrations. In this case, the client must not cache the value.</returns>
    public bool TryNote(long cache, uint ticket, NearStream stream) => stream.TryNote(cache, ticket, _slots!, _readers, Share);

    /// <summary>
    /// Removes registrations of a stream that has more than its share, because more streams were opened. The stream is notified as if the keys had changed.
    /// </summary>
    public void Trim(NearStream stream) => stream.Trim(_slots!, Share);

    /// <inheritdoc/>
    public void Changed(uint ticket)
    {
        if (_slots is { } slots && slots.HasAny(ticket) && slots.Log(ticket))
        {
            _delivery!.Schedule();
        }
    }

    /// <inheritdoc/>
    public void Cleared(long cache)
    {
        if (_readers.Log(cache))
        {
            _delivery!.Schedule();
        }
    }

    /// <summary>Notifies all streams that every item of every cache may have changed.</summary>
    public void ClearAll()
    {
        for (int number = 0; number < _streams.Length; number++)
        {
            Volatile.Read(ref _streams[number])?.Clear();
        }
    }

    /// <summary>Puts all changes that were reported before this call into the queues of their streams.</summary>
    public void Settle() => _delivery?.Settle();

    // The caller must hold the gate.
    private (int Number, NearBlocks Noted) Remove(NearStream stream)
    {
        int number = stream.Number;
        _users.Remove(stream);
        NearBlocks noted = stream.Leave(_readers);
        Volatile.Write(ref _streams[number], null);
        return (number, noted);
    }

    // Removes the registrations of a number, which takes longer the more there are. A change that was logged before must not be delivered to a new stream with
    // the same number. This method therefore waits until such changes are delivered (Settle) before the number can be reused.
    private void Free(int number, NearBlocks noted)
    {
        _slots!.Forget(number, noted);
        Settle();
        lock (_gate)
        {
            _free.Push(number);
        }
    }

    // The caller must hold the gate.
    private void ShareOut() => Volatile.Write(ref _share, Math.Min(KeyTicket.Count, MaxRegistrations / Math.Max(1, _users.Count)));

    private async Task UnwatchAsync()
    {
        await Task.Delay(WatchGap).ConfigureAwait(false);
        lock (_gate)
        {
            _isUnwatching = false;
            if (_users.Count == 0)
            {
                _isWatching = false;
                watch(null);
            }
        }
    }
}
