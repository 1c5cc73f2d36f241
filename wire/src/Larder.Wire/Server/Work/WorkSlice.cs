namespace Larder.Wire;

/// <summary>
/// How long one connection or stream may work before it gives way to the others of its thread and continues on a worker: five long turns of a socket
/// (<see cref="Sockets.Reactor.LongTurn"/>), a hundred to a thousand short calls. A mutable struct for one thread at a time: keep it in a field.
/// </summary>
internal struct WorkSlice(TimeProvider time)
{
    public static readonly TimeSpan Length = TimeSpan.FromMilliseconds(0.5);

    // A look at the clock costs 25 ns, as much as a tenth of a short call.
    public const int ItemsPerLook = 8;

    private long _start = time.GetTimestamp();
    private int _untilLook = ItemsPerLook;

    /// <summary>True if the work is to give way to others.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Begins a new slice. <paramref name="now"/>: a timestamp of the same clock.</summary>
    public void Begin(long now)
    {
        _start = now;
        IsOver = false;
    }

    /// <summary>Counts one item of work: a frame or an operation. Returns <see cref="IsOver"/>.</summary>
    public bool Count()
    {
        if (--_untilLook == 0)
        {
            _untilLook = ItemsPerLook;
            IsOver = time.GetElapsedTime(_start) >= Length;
        }

        return IsOver;
    }
}
