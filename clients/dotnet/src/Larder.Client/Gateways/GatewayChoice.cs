namespace Larder.Client.Gateways;

/// <summary>
/// Chooses a gateway for an attempt. Of two random gateways, it chooses the gateway with fewer calls in flight (GATEWAY-6, GATEWAY-7). The pipelined transport
/// chooses among its streams in the same way.
/// </summary>
internal static class GatewayChoice
{
    /// <summary>
    /// Returns two different indexes below <paramref name="count"/>. If the count is 1, both indexes are 0. The arguments <paramref name="first"/> and
    /// <paramref name="second"/> are random numbers in [0, 1).
    /// </summary>
    public static (int First, int Second) Draw(int count, double first, double second)
    {
        int one = (int)(first * count);
        if (count == 1)
        {
            return (one, one);
        }

        int other = (int)(second * (count - 1));
        return (one, other < one ? other : other + 1);
    }

    /// <summary>Returns the gateway or stream with fewer calls in flight, or the first one if the numbers are equal.</summary>
    public static T LessLoaded<T>(T first, int firstInFlight, T second, int secondInFlight) => secondInFlight < firstInFlight ? second : first;
}
