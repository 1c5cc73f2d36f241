namespace Larder.Redis;

/// <summary>
/// When all that nodes had said before a moment is known: a read on every tracked connection, begun after that moment, has come back. One attempt at a time,
/// which those that ask meanwhile do not share: they share the next. An attempt that fails is followed by another. Pure; for one thread at a time.
/// </summary>
internal sealed class TrackingBarrier
{
    /// <summary>
    /// 100 ms between the beginnings of two: however many ask, and a node that does not answer is not asked without end. A lease of three seconds that is
    /// renewed each second has time for it.
    /// </summary>
    public static readonly TimeSpan Least = TimeSpan.FromMilliseconds(100);

    private long _begun;
    private long _wanted;
    private int _left;
    private bool _hasFailed;
    private TimeSpan _notBefore = TimeSpan.MinValue;

    /// <summary>Whether an attempt is under way, or to be begun.</summary>
    public bool IsPressing => _left > 0 || _wanted > _begun;

    /// <summary>Asks for one that begins from now on. Returns the number of the attempt that is the first to count.</summary>
    public long Ask() => _wanted = _begun + 1;

    /// <summary>Whether an attempt is to begin; its caller then holds one part of it, which it ends after all others were added.</summary>
    /// <param name="now">Since any point in time.</param>
    public bool TryBegin(TimeSpan now)
    {
        if (_left > 0 || _wanted <= _begun || now < _notBefore)
        {
            return false;
        }

        _begun++;
        _left = 1;
        _hasFailed = false;
        _notBefore = now + Least;
        return true;
    }

    /// <summary>Adds a part: a read that is about to be sent.</summary>
    public void Add() => _left++;

    /// <summary>A part has ended. Returns the number of the attempt where that was the last one and all went well, and that number alone; else 0.</summary>
    public long End(bool isGood)
    {
        _hasFailed |= !isGood;
        if (--_left > 0)
        {
            return 0;
        }

        if (_hasFailed)
        {
            _wanted = _begun + 1;
            return 0;
        }

        return _begun;
    }
}
