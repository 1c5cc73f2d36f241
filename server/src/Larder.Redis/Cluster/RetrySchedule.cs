namespace Larder.Redis;

/// <summary>The waits between retries of a command. They are randomized, so that commands that failed together are not retried together.</summary>
internal static class RetrySchedule
{
    /// <summary>The wait before the first retry: 10 ms, enough for a node that is almost ready or a slot whose move is almost complete.</summary>
    public static readonly TimeSpan FirstRetry = TimeSpan.FromMilliseconds(10);

    /// <summary>
    /// The maximum wait before a retry, without the random variation: 200 ms. A failover takes seconds, so at this interval its end is noticed soon enough.
    /// </summary>
    public static readonly TimeSpan LongestRetry = TimeSpan.FromMilliseconds(200);

    /// <summary>
    /// The wait before the second redirect: 5 ms. The wait doubles for each further redirect. Two nodes that redirect to each other usually agree after a short
    /// time.
    /// </summary>
    public static readonly TimeSpan SecondRedirect = TimeSpan.FromMilliseconds(5);

    /// <summary>Returns the wait before a retry. The wait doubles for each retry and varies randomly by up to half in either direction.</summary>
    /// <param name="retry">The number of the retry, from 1.</param>
    /// <param name="random">A random number from 0 up to 1.</param>
    public static TimeSpan Retry(int retry, double random) =>
        Jittered(Math.Min(FirstRetry.TotalMilliseconds * Math.Pow(2, Math.Min(retry - 1, 16)), LongestRetry.TotalMilliseconds), random);

    /// <summary>Returns the wait before a redirect is followed. Redirects are counted from 1. The first redirect is followed immediately.</summary>
    public static TimeSpan Redirected(int redirect, double random) =>
        redirect <= 1 ? TimeSpan.Zero : Jittered(SecondRedirect.TotalMilliseconds * Math.Pow(2, redirect - 2), random);

    private static TimeSpan Jittered(double milliseconds, double random) => TimeSpan.FromMilliseconds(milliseconds * (0.5 + random));
}
