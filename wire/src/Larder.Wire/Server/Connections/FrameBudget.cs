namespace Larder.Wire;

/// <summary>How many frames of one kind a connection may send: a burst, and so many a second after it.</summary>
internal sealed class FrameBudget
{
    private readonly double _burst;
    private readonly double _perTick;
    private double _left;
    private long _last;

    /// <param name="burst">Frames at once.</param>
    /// <param name="perSecond">Frames a second that come back.</param>
    /// <param name="time">The clock.</param>
    public FrameBudget(int burst, int perSecond, TimeProvider time)
    {
        _burst = burst;
        _left = burst;
        _perTick = (double)perSecond / time.TimestampFrequency;
        _last = time.GetTimestamp();
    }

    /// <summary>Counts a frame that costs as much as <paramref name="cost"/> plain ones; false where that is too many.</summary>
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
