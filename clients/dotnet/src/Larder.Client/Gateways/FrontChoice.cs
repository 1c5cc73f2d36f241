namespace Larder.Client.Fronts;

/// <summary>Which front an attempt goes to: functions of the draws and of the fronts' calls in flight (FRONT-6, FRONT-7).</summary>
internal static class FrontChoice
{
    /// <summary>Two different numbers below <paramref name="count"/>; the same twice where it is 1. The draws are from 0 to below 1.</summary>
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

    /// <summary>Of two fronts the one with fewer calls in flight; of two alike the first.</summary>
    public static T LessLoaded<T>(T first, int firstInFlight, T second, int secondInFlight) => secondInFlight < firstInFlight ? second : first;
}
