using Larder.Client.Calls;
using Larder.Client.Operations;
using Larder.Wire;

namespace Larder.Client;

/// <summary>Whether and when a failed call is sent again: functions of the failure alone, without a clock or a network (spec/retry.md).</summary>
internal sealed class RetryPolicy(int maxRetries, TimeSpan initialBackOff, TimeSpan maxBackOff)
{
    /// <summary>
    /// A restart takes about a second: calls wait so long for a connection. Past it they fail at once, between one try and the next (RETRY-9).
    /// </summary>
    public static readonly TimeSpan Grace = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Past <see cref="Grace"/>, how long calls wait for the try that is under way: a refusal comes in a millisecond, silence never (RETRY-9).
    /// </summary>
    public static readonly TimeSpan TryPatience = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// The longest first wait before a connection is tried again: what is refused in the middle of a restart is there some milliseconds later.
    /// </summary>
    private static readonly TimeSpan s_firstReconnection = TimeSpan.FromMilliseconds(20);

    // 2^20 times any first wait is past any greatest wait.
    private const int MaxDoublings = 20;

    public static RetryPolicy From(Configuration configuration) =>
        new(configuration.MaxRetries, configuration.InitialBackOff, configuration.MaxBackOff);

    /// <summary>The waits between attempts to connect.</summary>
    public static RetryPolicy ForConnecting(Configuration configuration) =>
        new(configuration.MaxRetries, s_firstReconnection, configuration.MaxBackOff);

    /// <summary>
    /// Decides about a call that failed its <paramref name="attempts"/>-th attempt, of which <paramref name="sends"/> reached a connection.
    /// Attempts that found no connection cost the server nothing: the deadline alone bounds them.
    /// </summary>
    public RetryDecision Decide(OperationInfo operation, in Failure failure, int attempts, int sends, TimeSpan remaining, RetryBudget budget, double random)
    {
        if (!IsRetryable(operation, failure) || (!failure.NeverSent && sends > maxRetries))
        {
            return RetryDecision.GiveUp;
        }

        TimeSpan wait = BackOff(attempts, random);
        if (wait >= remaining)
        {
            return RetryDecision.GiveUp;
        }

        return failure.NeverSent || budget.TryTake() ? RetryDecision.After(wait) : RetryDecision.GiveUp;
    }

    /// <summary>RETRY-1 to RETRY-3: by status, and for calls that may not run twice by proof that they never ran.</summary>
    public static bool IsRetryable(OperationInfo operation, in Failure failure)
    {
        if (failure.NeverSent && failure.FailFast)
        {
            return false;
        }

        return failure.Code is (StatusCode.Unavailable or StatusCode.Internal or StatusCode.Cancelled) && (operation.IsIdempotent || failure.NotProcessed);
    }

    /// <summary>
    /// The wait before the retry after attempt number <paramref name="attempt"/> (from 1): doubling, then jittered between its half and its whole, so that
    /// callers do not return in step.
    /// </summary>
    public TimeSpan BackOff(int attempt, double random)
    {
        double whole = Math.Min(initialBackOff.TotalMilliseconds * Math.Pow(2, Math.Clamp(attempt - 1, 0, MaxDoublings)), maxBackOff.TotalMilliseconds);
        return TimeSpan.FromMilliseconds(whole * (0.5 + (0.5 * random)));
    }
}
