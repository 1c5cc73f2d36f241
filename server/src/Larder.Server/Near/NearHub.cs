using Larder.Store;

namespace Larder.Server.Near;

/// <summary>
/// The near streams of a server, and the delivery of changes to them. The clients of near streams keep copies of values. A ticket is a 20-bit hash of a key.
/// Before a near get reads, <see cref="TryNote"/> registers the stream for the ticket of the key. When a write has become visible, <see cref="Changed"/> is
/// called and notifies the registered streams. Thread-safe.
/// </summary>
/// <remarks>
/// A writer takes the registrations for a ticket and reports them to the streams under the lock of one of 256 stripes. Another writer may find that the
/// registrations are already taken but not yet reported. <see cref="Settle"/> acquires and releases the lock of every stripe. After that, all registrations
/// that were taken before have been reported. Only then is a lease renewed (NEAR-7).
/// </remarks>
/// <param name="watch">
/// Called with the hub when the first stream opens, so that the hub receives changes. Called with null after the last stream has closed.
/// </param>
internal sealed class NearHub(Action<IChangeWatch?> watch) : IChangeWatch
{
    /// <summary>The time for which clients may use their copies after they requested a lease, in milliseconds.</summary>
    public const int LeaseMs = 3_000;

    private const int Stripes = 256;

    // The time for which the hub continues to watch for changes after its last stream has closed. On a gateway, each start and stop of watching opens or closes
    // connections to the nodes.
    private static readonly TimeSpan WatchGap = TimeSpan.FromMilliseconds(100);

    private readonly Lock _gate = new();
    private readonly Lock[] _stripes = [.. Enumerable.Range(0, Stripes).Select(static _ => new Lock())];
    private readonly NearStream?[] _streams = new NearStream?[NearSlots.MaxStreams];
    private readonly NearFigures _ended = new();
    private NearSlots? _slots;

    // The gate protects the displaced streams that have not ended, the order in which numbers were assigned, and the number of streams that have a number.
    private readonly HashSet<NearStream> _displaced = [];
    private readonly long[] _openedAs = new long[NearSlots.MaxStreams];
    private long _opened;
    private int _count;
    private bool _isWatching;
    private bool _isUnwatching;

    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _count;
            }
        }
    }

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
    /// Assigns a number to a stream. If all numbers are taken, the newest stream of the user with the most streams is displaced, provided that the user of the
    /// new stream has fewer streams (NEAR-1).
    /// </summary>
    /// <returns>False if no stream can be displaced.</returns>
    public bool TryOpen(NearStream stream)
    {
        lock (_gate)
        {
            _slots ??= new NearSlots();
            if (_count == NearSlots.MaxStreams && !TryDisplaceFor(stream.User))
            {
                return false;
            }

            _displaced.Remove(stream);
            int number = Array.IndexOf(_streams, null);
            stream.Open(number);
            Volatile.Write(ref _streams[number], stream);
            _openedAs[number] = ++_opened;
            _count++;
            if (!_isWatching)
            {
                _isWatching = true;
                watch(this);
            }

            return true;
        }
    }

    /// <summary>Removes a stream and all its registrations (NEAR-8). The number of the stream becomes free.</summary>
    public void Close(NearStream stream)
    {
        lock (_gate)
        {
            _ended.Add(stream.Figures);
            if (!_displaced.Remove(stream))
            {
                int number = stream.Number;
                Free(number, stream.Leave());
                if (_count == 0 && !_isUnwatching)
                {
                    _isUnwatching = true;
                    _ = UnwatchAsync();
                }
            }
        }
    }

    /// <summary>
    /// Registers the stream for a notification about the next change of a key with this ticket. The client may cache a value that is read after this call.
    /// It must drop the value when it is notified.
    /// </summary>
    /// <param name="cache">The ID of the key's cache.</param>
    /// <param name="ticket">The key's ticket.</param>
    /// <param name="stream">The stream.</param>
    /// <returns>False if the stream was displaced. In this case, the client must not cache the value.</returns>
    public bool TryNote(long cache, uint ticket, NearStream stream) => stream.TryNote(cache, ticket, _slots!);

    /// <inheritdoc/>
    public void Changed(uint ticket)
    {
        NearSlots slots = _slots!;
        if (!slots.HasAny(ticket))
        {
            return;
        }

        lock (_stripes[ticket % Stripes])
        {
            UInt128 bits = slots.Take(ticket);
            for (; bits != UInt128.Zero; bits &= bits - 1)
            {
                Volatile.Read(ref _streams[(int)UInt128.TrailingZeroCount(bits)])?.Tell(ticket);
            }
        }
    }

    /// <inheritdoc/>
    public void Cleared(long cache)
    {
        for (int number = 0; number < _streams.Length; number++)
        {
            Volatile.Read(ref _streams[number])?.Clear(cache);
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

    /// <summary>Waits until all registrations that were taken before this call have been reported.</summary>
    public void Settle()
    {
        foreach (Lock stripe in _stripes)
        {
            stripe.Enter();
            stripe.Exit();
        }
    }

    // The caller must hold the gate. After the displacement, the user with the most streams still has at least as many streams as the other user, so two users
    // never displace each other in turn.
    private bool TryDisplaceFor(string user)
    {
        Dictionary<string, int> counts = new(StringComparer.Ordinal) { [user] = 0 };
        foreach (NearStream? stream in _streams)
        {
            counts[stream!.User] = counts.GetValueOrDefault(stream.User) + 1;
        }

        (string largest, int most) = counts.MaxBy(static each => each.Value);
        if (most - 1 < counts[user] + 1)
        {
            return false;
        }

        int newest = Enumerable.Range(0, NearSlots.MaxStreams).Where(number => _streams[number]!.User == largest).MaxBy(number => _openedAs[number]);
        NearStream leaving = _streams[newest]!;
        NearBlocks noted = leaving.Leave();

        // The clear is queued before the registrations are removed. A write between these steps is therefore covered by the clear, or it is reported
        // because the registration still exists.
        leaving.Clear();
        _displaced.Add(leaving);
        Free(newest, noted);
        return true;
    }

    // The caller must hold the gate. A writer that has taken a registration of the old stream must not report it to a new stream with the same number. This
    // method therefore waits for such writers (Settle) before the number can be reused.
    private void Free(int number, NearBlocks noted)
    {
        Volatile.Write(ref _streams[number], null);
        _count--;
        _slots!.Forget(number, noted);
        Settle();
    }

    private async Task UnwatchAsync()
    {
        await Task.Delay(WatchGap).ConfigureAwait(false);
        lock (_gate)
        {
            _isUnwatching = false;
            if (_count == 0)
            {
                _isWatching = false;
                watch(null);
            }
        }
    }
}
