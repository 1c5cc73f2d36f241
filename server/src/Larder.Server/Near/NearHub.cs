using Larder.Store;

namespace Larder.Server.Near;

/// <summary>
/// The near streams of a server, and whom a change is told: <see cref="TryNote"/> before a near get reads, <see cref="Changed"/> once a write is visible.
/// Safe from any thread.
/// </summary>
/// <remarks>
/// Notes are taken and told under the lock of one of 256 stripes. So a writer that finds notes taken and not told yet goes on, and <see cref="Settle"/>,
/// which passes through every stripe, has behind it all that was taken before: a lease is renewed only then (NEAR-7).
/// </remarks>
/// <param name="watch">Has the hub told of changes from its first stream on, and told of none (null) after its last.</param>
internal sealed class NearHub(Action<IChangeWatch?> watch) : IChangeWatch
{
    /// <summary>How long copies may be served after a lease was asked for, in milliseconds.</summary>
    public const int LeaseMs = 3_000;

    private const int Stripes = 256;

    // Whether anybody is watching is changed at most so often: for a front it opens and closes connections to the nodes.
    private static readonly TimeSpan WatchGap = TimeSpan.FromMilliseconds(100);

    private readonly Lock _gate = new();
    private readonly Lock[] _stripes = [.. Enumerable.Range(0, Stripes).Select(static _ => new Lock())];
    private readonly NearStream?[] _streams = new NearStream?[NearSlots.MaxStreams];
    private readonly NearFigures _ended = new();
    private NearSlots? _slots;

    // Under the gate: streams that have a number, those that gave way and have not ended, and the order in which numbers were given.
    private readonly HashSet<NearStream> _displaced = [];
    private readonly long[] _openedAs = new long[NearSlots.MaxStreams];
    private long _opened;
    private int _count;
    private bool _isWatching;
    private bool _isUnwatching;

    /// <summary>Near streams now.</summary>
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

    /// <summary>What was counted of all streams since the start.</summary>
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
    /// Gives the stream a number. If all are taken, the newest stream of the user with the most gives way to a user that has fewer (NEAR-1).
    /// </summary>
    /// <returns>False if no stream gives way.</returns>
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

    /// <summary>Tells the stream nothing more. Its number is free again, and none of its notes is left (NEAR-8).</summary>
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

    /// <summary>The stream is to be told when a key of this ticket changes next; what it reads afterwards may be kept until then.</summary>
    /// <param name="cache">The id of the key's cache.</param>
    /// <param name="ticket">The key's ticket.</param>
    /// <param name="stream">The stream.</param>
    /// <returns>False if it gave way to another: what it reads may not be kept.</returns>
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

    /// <summary>Everything of every cache may have changed.</summary>
    public void ClearAll()
    {
        for (int number = 0; number < _streams.Length; number++)
        {
            Volatile.Read(ref _streams[number])?.Clear();
        }
    }

    /// <summary>Returns once everything that was taken before has been told.</summary>
    public void Settle()
    {
        foreach (Lock stripe in _stripes)
        {
            stripe.Enter();
            stripe.Exit();
        }
    }

    // Under the gate. The user with the most has no fewer than the other after the change, so that two users never displace each other in turn.
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

        // Before its notes are forgotten: a write in between is told by the one or the other.
        leaving.Clear();
        _displaced.Add(leaving);
        Free(newest, noted);
        return true;
    }

    // Under the gate. Whoever has taken a note of the stream that had the number tells no other stream of it: it is done before the number is given again.
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
