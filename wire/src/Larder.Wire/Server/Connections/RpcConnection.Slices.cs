using System.Diagnostics;

namespace Larder.Wire;

/// <summary>How a connection whose calls take long gives way to the others of its thread.</summary>
internal sealed partial class RpcConnection
{
    /// <summary>
    /// How long a connection may handle what has arrived before it continues on a worker: five long turns of a socket (<see cref="Sockets.Reactor.LongTurn"/>),
    /// some hundred short calls.
    /// </summary>
    public static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(0.5);

    // A look at the clock costs some 25 ns, a call about 5 µs in four frames.
    private const int FramesPerLook = 8;

    private static readonly long s_sliceTicks = (long)(Slice.TotalSeconds * Stopwatch.Frequency);

    // When the present thread took the connection up, and frames until the clock is looked at next. For the receiving thread.
    private WorkYield? _yield;
    private long _sliceStart = Stopwatch.GetTimestamp();
    private int _untilLook = FramesPerLook;
    private bool _isSliceOver;

    // Continues on a worker, when it is the connection's turn.
    private async ValueTask YieldAsync()
    {
        await (_yield ??= new WorkYield(WorkScheduler.Shared, Share));
        BeginSlice();
    }

    private void BeginSlice()
    {
        _sliceStart = Stopwatch.GetTimestamp();
        _isSliceOver = false;
    }

    // True if the connection is to give way.
    private bool CountFrame()
    {
        if (--_untilLook == 0)
        {
            _untilLook = FramesPerLook;
            _isSliceOver = Stopwatch.GetTimestamp() - _sliceStart >= s_sliceTicks;
        }

        return _isSliceOver;
    }
}
