namespace Larder.Server.Fleet;

/// <summary>
/// Decides which commands a node is sent, so that those that take long never queue up there, where they would delay everybody's calls. A bounded number of
/// light commands is under way and one heavy one; after a heavy one the node rests from them for as long as it took. Pure: timestamps are the caller's. Not
/// thread-safe.
/// </summary>
/// <param name="frequency">Timestamps of a second.</param>
/// <param name="limits">What may wait.</param>
internal sealed class NodeTurns(long frequency, TurnLimits limits)
{
    /// <summary>
    /// Light commands under way: each at most <see cref="FleetLimits.LightElements"/> elements, so together about 4 ms of the node's time. At a round trip of
    /// 0.2 ms that is 80,000 a second.
    /// </summary>
    public const int LightAtOnce = 16;

    // A timer's resolution: shorter rests are added up until they are due together.
    private static readonly TimeSpan s_shortestRest = TimeSpan.FromMilliseconds(1);

    // A command that took longer was held up by something else: no step is that long.
    private static readonly TimeSpan s_longestRest = TimeSpan.FromMilliseconds(250);

    private readonly TurnQueue _light = new(limits);
    private readonly TurnQueue _heavy = new(limits);
    private readonly long _shortestRest = (long)(s_shortestRest.TotalSeconds * frequency);
    private readonly long _longestRest = (long)(s_longestRest.TotalSeconds * frequency);
    private long _restsUntil = long.MinValue;
    private long _owedRest;

    /// <summary>Commands that wait.</summary>
    public int Waiting => _light.Count + _heavy.Count;

    /// <summary>Light commands under way.</summary>
    public int LightUnderWay { get; private set; }

    /// <summary>Heavy commands under way: 0 or 1.</summary>
    public int HeavyUnderWay { get; private set; }

    /// <summary>Adds a command that wants a turn.</summary>
    /// <returns>As <see cref="TurnQueue.Add"/>.</returns>
    public ITurnTaker? Add(ITurnTaker taker) => (taker.Effort == Effort.Heavy ? _heavy : _light).Add(taker);

    /// <summary>Takes the command that is sent next; it is under way until <see cref="End"/>. Null: none now.</summary>
    public ITurnTaker? Next(long now)
    {
        if (LightUnderWay < LightAtOnce && _light.Take() is { } light)
        {
            LightUnderWay++;
            return light;
        }

        if (HeavyUnderWay == 0 && now >= _restsUntil && _heavy.Take() is { } heavy)
        {
            HeavyUnderWay++;
            return heavy;
        }

        return null;
    }

    /// <summary>A command that was under way has ended, answered or not.</summary>
    /// <param name="effort">Its effort.</param>
    /// <param name="sentAt">When it was sent.</param>
    /// <param name="now">The time now.</param>
    public void End(Effort effort, long sentAt, long now)
    {
        if (effort != Effort.Heavy)
        {
            LightUnderWay--;
            return;
        }

        HeavyUnderWay--;
        _owedRest += Math.Clamp(now - sentAt, 0, _longestRest);
        if (_owedRest >= _shortestRest)
        {
            _restsUntil = now + Math.Min(_owedRest, _longestRest);
            _owedRest = 0;
        }
    }

    /// <summary>Takes out the waiting commands that nobody waits for, and those whose deadline has passed.</summary>
    public void TakeOver(long now, List<ITurnTaker> over)
    {
        _light.TakeOver(now, over);
        _heavy.TakeOver(now, over);
    }

    /// <summary>The rest that is left, in timestamps; 0: none.</summary>
    public long RestLeft(long now) => Math.Max(_restsUntil - now, 0);
}
