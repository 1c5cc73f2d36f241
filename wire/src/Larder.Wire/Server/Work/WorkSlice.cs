namespace Larder.Wire;

/// <summary>
/// Measures how long a connection or stream has worked, so that it yields to other connections on its thread and continues on a worker. The limit is five long
/// turns of a socket (<see cref="Sockets.Reactor.LongTurn"/>). In this time, a hundred to a thousand short calls can run. This is a mutable struct for one
/// thread at a time, so keep it in a field.
/// </summary>
internal struct WorkSlice(TimeProvider time)
{
    public static readonly TimeSpan Length = TimeSpan.FromMilliseconds(0.5);

    // The number of items after which the clock is read. Reading the clock takes 25 ns, which is a tenth of the time of a short call.
    public const int ItemsPerCheck = 8;

    private long _start = time.GetTimestamp();
    private int _untilCheck = ItemsPerCheck;

    /// <summary>Gets whether the work must yield to other work.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Begins a new slice. <paramref name="now"/> is a timestamp of the same clock.</summary>
    public void Begin(long now)
    {
        _start = now;
        IsOver = false;
    }

    /// <summary>Counts one item of work: a frame or an operation. Returns <see cref="IsOver"/>.</summary>
    public bool Count()
    {
        if (--_untilCheck == 0)
        {
            _untilCheck = ItemsPerCheck;
            IsOver = time.GetElapsedTime(_start) >= Length;
        }

        return IsOver;
    }
}
