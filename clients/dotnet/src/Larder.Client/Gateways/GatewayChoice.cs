namespace Larder.Client.Fronts;

/// <summary>Chooses the gateway of an attempt from random numbers and the gateways' calls in flight (FRONT-6, FRONT-7).</summary>
internal static class FrontChoice
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
