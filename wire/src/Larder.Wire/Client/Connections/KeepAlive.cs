using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>When to ping a silent connection and when to give it up. Pure: the connection has the clock and the timer.</summary>
internal sealed class KeepAlive(TimeSpan delay, TimeSpan timeout, bool withoutCalls)
{
    /// <summary>What the connection does now.</summary>
    internal enum Verdict
    {
        Wait,
        Ping,
        GiveUp,
    }

    private bool _isPinging;
    private TimeSpan _pingedAt;

    /// <summary>True if a silent connection is pinged without a doubt, too.</summary>
    public bool IsOn => delay != Timeout.InfiniteTimeSpan;

    /// <summary>Decides.</summary>
    /// <param name="now">The time since the connection was made.</param>
    /// <param name="heardAt">When anything was last read, on the same clock.</param>
    /// <param name="hasCalls">Whether calls are under way.</param>
    /// <param name="isDoubted">
    /// Whether a call ended without an answer since the last decision: then the connection is pinged if it has been silent for the timeout.
    /// </param>
    /// <param name="next">How long to wait until the next decision.</param>
    public Verdict Decide(TimeSpan now, TimeSpan heardAt, bool hasCalls, bool isDoubted, out TimeSpan next)
    {
        if (_isPinging && heardAt >= _pingedAt)
        {
            // Any frame says that the server lives.
            _isPinging = false;
        }

        if (_isPinging)
        {
            next = _pingedAt + timeout - now;
            return next <= TimeSpan.Zero ? Verdict.GiveUp : Verdict.Wait;
        }

        bool isSuspect = isDoubted && timeout != Timeout.InfiniteTimeSpan && now - heardAt >= timeout;
        next = IsOn ? heardAt + delay - now : Timeout.InfiniteTimeSpan;
        if (!isSuspect && (!IsOn || next > TimeSpan.Zero))
        {
            return Verdict.Wait;
        }

        if (!isSuspect && !hasCalls && !withoutCalls)
        {
            next = delay;
            return Verdict.Wait;
        }

        _isPinging = true;
        _pingedAt = now;
        next = timeout;
        return Verdict.Ping;
    }
}
