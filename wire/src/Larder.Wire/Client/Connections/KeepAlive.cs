using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// Decides when to ping a silent connection and when to close it. The connection carries out these decisions, and owns the clock and the timer.
/// </summary>
internal sealed class KeepAlive(TimeSpan delay, TimeSpan timeout, bool withoutCalls)
{
    /// <summary>The action that the connection must take.</summary>
    internal enum Verdict
    {
        Wait,
        Ping,
        GiveUp,
    }

    private bool _isPinging;
    private TimeSpan _pingedAt;

    /// <summary>Gets whether a silent connection is pinged even if no call ended without a response.</summary>
    public bool IsOn => delay != Timeout.InfiniteTimeSpan;

    /// <summary>Returns the action to take now.</summary>
    /// <param name="now">The time since the connection was established.</param>
    /// <param name="heardAt">The time of the last read, on the same clock.</param>
    /// <param name="hasCalls">Whether there are active calls.</param>
    /// <param name="isDoubted">Whether a call ended without a response since the last decision. The connection is then pinged if it has been silent
    /// for the timeout.</param>
    /// <param name="next">The time until the next decision.</param>
    public Verdict Decide(TimeSpan now, TimeSpan heardAt, bool hasCalls, bool isDoubted, out TimeSpan next)
    {
        if (_isPinging && heardAt >= _pingedAt)
        {
            // Any frame shows that the server is alive.
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
