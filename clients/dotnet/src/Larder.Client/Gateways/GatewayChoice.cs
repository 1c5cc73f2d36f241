namespace Larder.Client.Gateways;

/// <summary>Chooses the gateway of an attempt from random numbers and the gateways' calls in flight (GATEWAY-6, GATEWAY-7).</summary>
internal static class GatewayChoice
{
    /// <summary>Returns two different indexes below <paramref name="count"/>, or the same one twice if it is 1. The random numbers are in [0, 1).</summary>
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

    /// <summary>Returns the one of two gateways with fewer calls in flight, or the first if they are equal.</summary>
    public static T LessLoaded<T>(T first, int firstInFlight, T second, int secondInFlight) => secondInFlight < firstInFlight ? second : first;
}
