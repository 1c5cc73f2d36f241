namespace Larder.Server.Security;

/// <summary>
/// Computes when a wall-clock expiry must be checked again. Until then, a call only compares the monotonic time, which is read for every call.
/// </summary>
internal static class Expiry
{
    // The maximum time after which an adjustment of the wall clock takes effect.
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// Returns the time of the next check as a <see cref="TimeProvider.GetTimestamp"/> value: the time of the expiry, or 250 ms from now if that is earlier.
    /// </summary>
    public static long NextLook(TimeProvider time, DateTimeOffset? end, DateTimeOffset wallNow, long now)
    {
        TimeSpan left = end is { } at && at - wallNow < Longest ? at - wallNow : Longest;
        return now + (long)(left.TotalSeconds * time.TimestampFrequency);
    }
}
