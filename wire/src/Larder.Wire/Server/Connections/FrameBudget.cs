namespace Larder.Wire;

/// <summary>A token bucket for one kind of frame. It allows a burst of frames, and then a rate per second.</summary>
internal sealed class FrameBudget
{
    private readonly double _burst;
    private readonly double _perTick;
    private double _left;
    private long _last;

    /// <param name="burst">The maximum number of frames in a burst.</param>
    /// <param name="perSecond">The number of frames per second by which the budget is refilled.</param>
    /// <param name="time">The clock.</param>
    public FrameBudget(int burst, int perSecond, TimeProvider time)
    {
        _burst = burst;
        _left = burst;
        _perTick = (double)perSecond / time.TimestampFrequency;
        _last = time.GetTimestamp();
    }

    /// <summary>Counts a frame with the given cost. Returns false if the budget is exceeded.</summary>
    public bool TryTake(long now, int cost = 1)
    {
        _left = Math.Min(_burst, _left + ((now - _last) * _perTick));
        _last = now;
        if (_left < cost)
        {
            return false;
        }

        _left -= cost;
        return true;
    }
}
