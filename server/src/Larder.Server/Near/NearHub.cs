using Larder.Store;

namespace Larder.Server.Near;

/// <summary>
/// The near streams of a server, and whom a change is told: <see cref="Note"/> before a near get reads, <see cref="Changed"/> once a write is visible.
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

    // A walk over all notes takes a millisecond or two: who opens and closes streams all day gets a hundredth of a processor of them.
    private static readonly TimeSpan WalkGap = TimeSpan.FromMilliseconds(100);

    private readonly Lock _gate = new();
    private readonly Lock[] _stripes = [.. Enumerable.Range(0, Stripes).Select(static _ => new Lock())];
    private readonly NearStream?[] _streams = new NearStream?[NearSlots.MaxStreams];
    private readonly NearFigures _ended = new();
    private NearSlots? _slots;

    // Under the gate: the numbers that streams have, and those whose notes are still to be forgotten.
    private UInt128 _taken;
    private UInt128 _leaving;
    private bool _isForgetting;

    /// <summary>Near streams now.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
            {
                return (int)UInt128.PopCount(_taken & ~_leaving);
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
            foreach (NearStream? stream in _streams)
            {
                if (stream is not null)
                {
                    sum.Add(stream.Figures);
                }
            }
        }

        return sum;
    }

    /// <summary>Gives the stream a number; false where all are taken.</summary>
    public bool TryOpen(NearStream stream)
    {
        lock (_gate)
        {
            if (_taken == UInt128.MaxValue)
            {
                return false;
            }

            _slots ??= new NearSlots();
            bool isFirst = _taken == UInt128.Zero;
            stream.Number = (int)UInt128.TrailingZeroCount(~_taken);
            _taken |= UInt128.One << stream.Number;
            Volatile.Write(ref _streams[stream.Number], stream);
            if (isFirst)
            {
                watch(this);
            }

            return true;
        }
    }

    /// <summary>Tells the stream nothing more. Its number is free again once its notes are forgotten (NEAR-8).</summary>
    public void Close(NearStream stream)
    {
        lock (_gate)
        {
            Volatile.Write(ref _streams[stream.Number], null);
            _ended.Add(stream.Figures);
            _leaving |= UInt128.One << stream.Number;
            if (!_isForgetting)
            {
                _isForgetting = true;
                _ = Task.Run(ForgetAsync);
            }
        }
    }

    /// <summary>The stream is to be told when a key of this ticket changes next; what it reads afterwards may be kept until then.</summary>
    public void Note(uint ticket, NearStream stream) => _slots!.Note(ticket, stream.Number);

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
    public void Cleared()
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

    // Several that leave at once are forgotten in one walk. The writers of their notes find no stream.
    private async Task ForgetAsync()
    {
        while (true)
        {
            UInt128 leaving;
            lock (_gate)
            {
                leaving = _leaving;
                if (leaving == UInt128.Zero)
                {
                    _isForgetting = false;
                    return;
                }
            }

            _slots!.Forget(leaving);
            lock (_gate)
            {
                _leaving &= ~leaving;
                _taken &= ~leaving;
                if (_taken == UInt128.Zero)
                {
                    watch(null);
                }
            }

            await Task.Delay(WalkGap).ConfigureAwait(false);
        }
    }
}
