using Larder.Store;

namespace Larder.Server.Near;

/// <summary>
/// The near streams of a server, and the delivery of changes to them. The clients of near streams keep copies of values, and are notified when a key
/// with one of their tickets (20-bit key hashes) changes. <see cref="TryNote"/> registers interest before a near get reads; <see cref="Changed"/> is
/// called when a write has become visible. Thread-safe.
/// </summary>
/// <remarks>
/// Registrations are taken and reported under the lock of one of 256 stripes. A writer may therefore find the registrations already taken but not yet
/// reported. <see cref="Settle"/> acquires and releases every stripe, after which everything taken before has been reported. A lease is renewed only
/// then (NEAR-7).
/// </remarks>
/// <param name="watch">Called with the hub when the first stream opens, to subscribe it to changes, and with null after the last one has closed.</param>
internal sealed class NearHub(Action<IChangeWatch?> watch) : IChangeWatch
{
    /// <summary>How long clients may serve copies after they requested a lease, in milliseconds.</summary>
    public const int LeaseMs = 3_000;

    private const int Stripes = 256;

    // The minimum time before watching is stopped. For a gateway, starting and stopping opens and closes connections to the nodes.
    private static readonly TimeSpan WatchGap = TimeSpan.FromMilliseconds(100);

    private readonly Lock _gate = new();
    private readonly Lock[] _stripes = [.. Enumerable.Range(0, Stripes).Select(static _ => new Lock())];
    private readonly NearStream?[] _streams = new NearStream?[NearSlots.MaxStreams];
    private readonly NearFigures _ended = new();
    private NearSlots? _slots;

    // Protected by the gate: the displaced streams that have not ended, the order in which numbers were assigned, and how many streams have one.
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

    /// <summary>Returns the counters of all streams since startup.</summary>
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
    /// Assigns a number to a stream. If all are taken, the newest stream of the user with the most streams is displaced, provided that the new
    /// stream's user has fewer (NEAR-1).
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

    /// <summary>Removes a stream. Its number becomes free, and none of its registrations remain (NEAR-8).</summary>
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
    /// Registers that the stream must be notified of the next change of a key with this ticket. The client may cache what is read after this call
    /// until then.
    /// </summary>
    /// <param name="cache">The ID of the key's cache.</param>
    /// <param name="ticket">The key's ticket.</param>
    /// <param name="stream">The stream.</param>
    /// <returns>False if the stream was displaced: the client must not cache what is read.</returns>
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

    /// <summary>Notifies all streams that any item of any cache may have changed.</summary>
    public void ClearAll()
    {
        for (int number = 0; number < _streams.Length; number++)
        {
            Volatile.Read(ref _streams[number])?.Clear();
        }
    }

    /// <summary>Returns after everything taken before has been reported.</summary>
    public void Settle()
    {
        foreach (Lock stripe in _stripes)
        {
            stripe.Enter();
            stripe.Exit();
        }
    }

    // Requires the gate. After the change, the user with the most streams still has at least as many as the other, so two users never displace each
    // other in turn.
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

        // Cleared before its registrations are removed, so that a write in between is reported by one or the other.
        leaving.Clear();
        _displaced.Add(leaving);
        Free(newest, noted);
        return true;
    }

    // Requires the gate. A writer that has taken a registration of the old stream must not report to a new stream with the same number, so this waits
    // for such writers (Settle) before the number can be reused.
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
