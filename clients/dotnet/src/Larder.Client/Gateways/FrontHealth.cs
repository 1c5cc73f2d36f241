namespace Larder.Client.Fronts;

/// <summary>
/// How long a front that is there and refuses calls is set aside: a function of its refusals and of the time, which is any that only grows (FRONT-9).
/// </summary>
internal sealed class FrontHealth(TimeSpan longestWait)
{
    private static readonly TimeSpan FirstWait = TimeSpan.FromMilliseconds(20);

    // A refusal so long after the last is one of another trouble.
    private static readonly TimeSpan Memory = TimeSpan.FromSeconds(10);

    private readonly RetryPolicy _waits = new(0, FirstWait, longestWait);
    private int _refusals;

    /// <summary>No attempt is drawn from it before then, where another is up.</summary>
    public TimeSpan AsideUntil { get; private set; }

    /// <summary>It refused, at <paramref name="now"/>. <paramref name="random"/> is from 0 to 1.</summary>
    public void Refused(TimeSpan now, double random)
    {
        if (now < AsideUntil)
        {
            return;
        }

        _refusals = now - AsideUntil < Memory ? _refusals + 1 : 1;
        AsideUntil = now + _waits.BackOff(_refusals, random);
    }
}
