namespace Larder.Redis;

/// <summary>When a command is sent again. Jittered: those that one event sent back do not come back together.</summary>
internal static class RetrySchedule
{
    /// <summary>The first wait of a retry, 10 ms: a node that is about to be ready, or a slot about to be moved, is so by then.</summary>
    public static readonly TimeSpan FirstRetry = TimeSpan.FromMilliseconds(10);

    /// <summary>The longest wait of a retry, 200 ms: a failover takes seconds, and its end is noticed soon.</summary>
    public static readonly TimeSpan LongestRetry = TimeSpan.FromMilliseconds(200);

    /// <summary>The wait before the second redirect, doubled for each further one: two nodes that point at one another are about to agree.</summary>
    public static readonly TimeSpan SecondRedirect = TimeSpan.FromMilliseconds(5);

    /// <summary>The wait before a command is sent again for the <paramref name="retry"/>th time, from 1: doubled each time, half of it random.</summary>
    /// <param name="retry">1 for the first.</param>
    /// <param name="random">From 0 up to 1.</param>
    public static TimeSpan Retry(int retry, double random) =>
        Jittered(Math.Min(FirstRetry.TotalMilliseconds * Math.Pow(2, Math.Min(retry - 1, 16)), LongestRetry.TotalMilliseconds), random);

    /// <summary>The wait before the <paramref name="redirect"/>th redirect is followed, from 1: none before the first.</summary>
    public static TimeSpan Redirected(int redirect, double random) =>
        redirect <= 1 ? TimeSpan.Zero : Jittered(SecondRedirect.TotalMilliseconds * Math.Pow(2, redirect - 2), random);

    private static TimeSpan Jittered(double milliseconds, double random) => TimeSpan.FromMilliseconds(milliseconds * (0.5 + random));
}
