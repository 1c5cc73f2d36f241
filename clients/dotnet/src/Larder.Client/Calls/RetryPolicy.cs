using Larder.Client.Calls;
using Larder.Client.Operations;
using Larder.Wire;

namespace Larder.Client;

/// <summary>
/// Decides whether and when a failed call is retried. The decision depends only on its arguments, not on a clock or a network (spec/retry.md).
/// </summary>
internal sealed class RetryPolicy(int maxRetries, TimeSpan initialBackOff, TimeSpan maxBackOff)
{
    /// <summary>
    /// How long calls wait for a connection: a server restart takes about a second. After this time they fail at once between two attempts to connect
    /// (RETRY-9).
    /// </summary>
    public static readonly TimeSpan Grace = TimeSpan.FromSeconds(2);

    /// <summary>
    /// After <see cref="Grace"/>, how long calls wait for the current attempt to connect: a refusal arrives within a millisecond, but an unresponsive host
    /// never answers (RETRY-9).
    /// </summary>
    public static readonly TimeSpan AttemptTimeout = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// The maximum wait before the first attempt to reconnect: a server that refuses connections during a restart accepts them some milliseconds later.
    /// </summary>
    private static readonly TimeSpan s_firstReconnection = TimeSpan.FromMilliseconds(20);

    // 2^20 times any initial wait exceeds any maximum wait.
    private const int MaxDoublings = 20;

    public static RetryPolicy From(Configuration configuration) =>
        new(configuration.MaxRetries, configuration.InitialBackOff, configuration.MaxBackOff);

    /// <summary>Creates the policy for attempts to connect.</summary>
    public static RetryPolicy ForConnecting(Configuration configuration) =>
        new(configuration.MaxRetries, s_firstReconnection, configuration.MaxBackOff);

    /// <summary>
    /// Decides about a call after <paramref name="attempts"/> failed attempts, of which <paramref name="sends"/> reached a connection. Attempts without a
    /// connection cost the server nothing, so only the deadline limits them.
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

    /// <summary>
    /// Returns whether a failure may be retried (RETRY-1 to RETRY-3): depends on the status and, for calls that must not run twice, on proof that they did not
    /// run.
    /// </summary>
    public static bool IsRetryable(OperationInfo operation, in Failure failure)
    {
        if (failure.NeverSent && failure.FailFast)
        {
            return false;
        }

        return failure.Code is (StatusCode.Unavailable or StatusCode.Internal or StatusCode.Cancelled) && (operation.IsIdempotent || failure.NotProcessed);
    }

    /// <summary>
    /// Returns the wait before the retry after attempt <paramref name="attempt"/> (from 1). It doubles each time and is randomized between half and all of it,
    /// so that callers do not retry in step.
    /// </summary>
    public TimeSpan BackOff(int attempt, double random)
    {
        double whole = Math.Min(initialBackOff.TotalMilliseconds * Math.Pow(2, Math.Clamp(attempt - 1, 0, MaxDoublings)), maxBackOff.TotalMilliseconds);
        return TimeSpan.FromMilliseconds(whole * (0.5 + (0.5 * random)));
    }
}
