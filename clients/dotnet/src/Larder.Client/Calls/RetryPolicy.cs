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
    /// The time without a connection during which calls wait instead of failing (RETRY-9). It is longer than a server restart, which takes about a second.
    /// After this time, a call fails immediately, unless an attempt to connect is in progress.
    /// </summary>
    public static readonly TimeSpan Grace = TimeSpan.FromSeconds(2);

    /// <summary>
    /// The maximum time that a call waits for an ongoing connection attempt if <see cref="Grace"/> has already passed (RETRY-9). The wait is limited because
    /// an unresponsive host never answers an attempt. A refused attempt fails within a millisecond.
    /// </summary>
    public static readonly TimeSpan AttemptTimeout = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// The maximum wait before the first attempt to reconnect. It is short because a restarting server may accept connections a few milliseconds after it
    /// refused one.
    /// </summary>
    private static readonly TimeSpan s_firstReconnection = TimeSpan.FromMilliseconds(20);

    // Limits the exponent of the back-off. After 20 doublings, any valid initial wait exceeds any valid maximum wait.
    private const int MaxDoublings = 20;

    public static RetryPolicy From(Configuration configuration) =>
        new(configuration.MaxRetries, configuration.InitialBackOff, configuration.MaxBackOff);

    /// <summary>Creates the policy for attempts to reconnect, with a fixed initial back-off.</summary>
    public static RetryPolicy ForConnecting(Configuration configuration) =>
        new(configuration.MaxRetries, s_firstReconnection, configuration.MaxBackOff);

    /// <summary>
    /// Decides whether a call is retried after <paramref name="attempts"/> failed attempts, of which <paramref name="sends"/> had a connection. Attempts
    /// without a connection cause no load on the server, so only the deadline limits them.
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
    /// Returns whether a call of a lost stream may be sent on another open stream at once (PIPE-22). If retries are off, only a call that was not sent may
    /// move.
    /// </summary>
    public bool MayMove(OperationInfo operation, in Failure failure) =>
        failure.HasOtherStream && IsRetryable(operation, failure) && (failure.NotProcessed || maxRetries > 0);

    /// <summary>
    /// Returns whether a failure may be retried (RETRY-1 to RETRY-3). Only failures with certain status codes may be retried. If the operation is not
    /// idempotent, it must also be certain that the server did not run the call.
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
    /// Returns the wait before the retry after attempt <paramref name="attempt"/> (from 1). The base value doubles with each attempt, up to the maximum. The
    /// wait is a random time between half of the base value and the base value, so that callers do not retry at the same time.
    /// </summary>
    public TimeSpan BackOff(int attempt, double random) => BackOff(initialBackOff, maxBackOff, attempt, random);

    /// <summary>Returns the same wait as <see cref="BackOff(int, double)"/> for other waits than those of a retry.</summary>
    /// <param name="first">The base value after the first attempt.</param>
    /// <param name="longest">The maximum of the base value.</param>
    /// <param name="attempt">The number of the attempt, from 1.</param>
    /// <param name="random">A random number from 0 to 1.</param>
    public static TimeSpan BackOff(TimeSpan first, TimeSpan longest, int attempt, double random)
    {
        double whole = Math.Min(first.TotalMilliseconds * Math.Pow(2, Math.Clamp(attempt - 1, 0, MaxDoublings)), longest.TotalMilliseconds);
        return TimeSpan.FromMilliseconds(whole * (0.5 + (0.5 * random)));
    }
}
