namespace Larder.Wire;

/// <summary>
/// Measures the time that a connection or stream has used its thread. After <see cref="Length"/>, it must yield to the other connections on this thread and
/// continue on a worker. This time is five times <see cref="Sockets.Reactor.LongTurn"/>. A hundred to a thousand short calls can run in it. This is a mutable
/// struct for one thread at a time, so store it in a field.
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
