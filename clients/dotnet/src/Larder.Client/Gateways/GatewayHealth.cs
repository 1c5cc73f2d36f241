namespace Larder.Client.Gateways;

/// <summary>Computes how long a gateway that is reachable but rejects calls stays out of rotation (GATEWAY-9).</summary>
internal sealed class GatewayHealth(TimeSpan longestWait)
{
    private static readonly TimeSpan FirstWait = TimeSpan.FromMilliseconds(20);

    // If a rejection comes this long after the end of the previous back-off, it is assumed to have a different cause, and the back-off starts again at the
    // minimum.
    private static readonly TimeSpan Memory = TimeSpan.FromSeconds(10);

    private readonly RetryPolicy _waits = new(0, FirstWait, longestWait);
    private int _refusals;

    /// <summary>Gets the end of the back-off. Until this time the gateway is chosen only if no other gateway is up.</summary>
    public TimeSpan SuspendedUntil { get; private set; }

    /// <summary>
    /// Records a rejection at the monotonic time <paramref name="now"/>. <paramref name="random"/> is a random number from 0 to 1 for the jitter of the
    /// back-off.
    /// </summary>
    public void Refused(TimeSpan now, double random)
    {
        if (now < SuspendedUntil)
        {
            return;
        }

        _refusals = now - SuspendedUntil < Memory ? _refusals + 1 : 1;
        SuspendedUntil = now + _waits.BackOff(_refusals, random);
    }
}
