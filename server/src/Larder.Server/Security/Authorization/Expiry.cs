namespace Larder.Server.Security;

/// <summary>Computes when a wall-clock expiry must be checked again. Each call compares only the monotonic time, which it has read anyway.</summary>
internal static class Expiry
{
    // If the wall clock is adjusted, the change is noticed after at most this time.
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(250);

    /// <summary>Returns the next check as a <see cref="TimeProvider.GetTimestamp"/> value: at the expiry, or in 250 ms if that is earlier.</summary>
    public static long NextLook(TimeProvider time, DateTimeOffset? end, DateTimeOffset wallNow, long now)
    {
        TimeSpan left = end is { } at && at - wallNow < Longest ? at - wallNow : Longest;
        return now + (long)(left.TotalSeconds * time.TimestampFrequency);
    }
}
