namespace Larder.Server.Security;

/// <summary>
/// When an end by the wall clock is to be looked at again: what is asked at every call is the monotonic clock, which the call has read anyway.
/// </summary>
internal static class Expiry
{
    // A wall clock that is set is seen this much later at most.
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(250);

    /// <summary>The time of the next look, as <see cref="TimeProvider.GetTimestamp"/> has it: when it ends, or a quarter of a second after now.</summary>
    public static long NextLook(TimeProvider time, DateTimeOffset? end, DateTimeOffset wallNow, long now)
    {
        TimeSpan left = end is { } at && at - wallNow < Longest ? at - wallNow : Longest;
        return now + (long)(left.TotalSeconds * time.TimestampFrequency);
    }
}
