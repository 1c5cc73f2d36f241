namespace Larder.Redis;

/// <summary>The waits between retries of a command. They are randomized, so that commands that failed together are not retried together.</summary>
internal static class RetrySchedule
{
    /// <summary>The wait before the first retry: 10 ms, enough for a node that is almost ready or a slot whose move is almost complete.</summary>
    public static readonly TimeSpan FirstRetry = TimeSpan.FromMilliseconds(10);

    /// <summary>The maximum wait of a retry before randomization: 200 ms. A failover takes seconds, and its end is noticed quickly.</summary>
    public static readonly TimeSpan LongestRetry = TimeSpan.FromMilliseconds(200);

    /// <summary>The wait before the second redirect, which doubles for each further one: two nodes that redirect to each other are about to agree.</summary>
    public static readonly TimeSpan SecondRedirect = TimeSpan.FromMilliseconds(5);

    /// <summary>Returns the wait before a retry. It doubles each time and varies randomly by up to half in either direction.</summary>
    /// <param name="retry">The number of the retry, from 1.</param>
    /// <param name="random">A random number from 0 up to 1.</param>
    public static TimeSpan Retry(int retry, double random) =>
        Jittered(Math.Min(FirstRetry.TotalMilliseconds * Math.Pow(2, Math.Min(retry - 1, 16)), LongestRetry.TotalMilliseconds), random);

    /// <summary>Returns the wait before the given redirect, counted from 1, is followed. There is none before the first.</summary>
    public static TimeSpan Redirected(int redirect, double random) =>
        redirect <= 1 ? TimeSpan.Zero : Jittered(SecondRedirect.TotalMilliseconds * Math.Pow(2, redirect - 2), random);

    private static TimeSpan Jittered(double milliseconds, double random) => TimeSpan.FromMilliseconds(milliseconds * (0.5 + random));
}
