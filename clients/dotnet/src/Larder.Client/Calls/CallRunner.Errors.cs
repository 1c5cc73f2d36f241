using Larder.Wire;

namespace Larder.Client.Calls;

/// <content>The errors of calls, with the details of the call and of the client.</content>
internal sealed partial class CallRunner
{
    private const string FixedHint = $"set the token in {CredentialProvider.DefaultVariable} (token@host) or in the CredentialProvider";

    /// <summary>Creates an error with all details of the call.</summary>
    public CacheError ErrorOf(Call call, in Failure failure) =>
        ErrorOf(call, Failure.CodeOf(failure.Code), failure.Message, failure);

    /// <summary>
    /// Returns the message of an error. If the server rejected the token, appends a hint about what to check in the client, because the server's message
    /// describes the remedy only in terms of the protocol.
    /// </summary>
    public string ReasonOf(CacheErrorCode code, string message) =>
        code == CacheErrorCode.Unauthenticated ? $"{message} ({(Tokens is null ? FixedHint : "the token provider gave the token")})" : message;

    private CacheError OverloadOf(Call call) => ErrorOf(
        call,
        CacheErrorCode.ClientOverloaded,
        $"The client's queue is full: {_configuration.QueueLimit} calls are waiting, because the concurrency limit of {Limiter.Limit} is reached. "
            + "Make fewer concurrent calls or raise QueueLimit.",
        default);

    private CacheError ErrorOf(Call call, CacheErrorCode code, string message, in Failure failure)
    {
        long now = Clock.Now;
        return new CacheError(code, ReasonOf(code, message))
        {
            Cause = failure.Cause,
            Exception = failure.Exception,
            IsUnsupported = failure.Code == StatusCode.Unimplemented,
            Operation = call.Operation.Name,
            KeyLength = call.KeyLength,
            Elapsed = Clock.Between(call.StartedAt, now),
            QueuedFor = Clock.Between(call.StartedAt, call.GrantedAt == 0 ? now : call.GrantedAt),
            InFlight = Limiter.InFlight,
            InFlightLimit = Limiter.Limit,
            Queued = Limiter.Waiting,
            Attempts = call.Sends,
            Connection = Transport.State,
            ThreadPoolBacklog = ThreadPool.PendingWorkItemCount,
        };
    }

    private CacheError TimeoutOf(Call call)
    {
        if (call.AwaitsToken)
        {
            return ErrorOf(call, CacheErrorCode.Timeout, "The deadline passed before the token provider returned.", default);
        }

        string where = call.GrantedAt == 0 ? "while the call waited in the client's queue; it was never sent"
            : call.Sends == 0 ? "while the call waited for a connection; it was never sent"
            : "while the call waited for the server";
        // The call was never sent and has no failed attempt yet. If the last attempt to connect failed, report its failure as the cause. The error code is then
        // the same whether the deadline passes before or after the next attempt to connect.
        if (call is { Sends: 0, HasFailed: false } && Transport.Refusal is { } refusal)
        {
            (call.LastFailure, call.HasFailed) = (refusal, true);
        }

        bool neverConnected = call is { Sends: 0, HasFailed: true, LastFailure.NeverSent: true };
        string last = neverConnected ? $" {call.LastFailure.Message}"
            : call.HasFailed ? $" The last attempt failed with {call.LastFailure.Code}: {call.LastFailure.Message}" : "";
        StatusCode code = neverConnected ? StatusCode.Unavailable : StatusCode.DeadlineExceeded;
        return ErrorOf(call, new Failure(code, $"The deadline of {Clock.Between(call.StartedAt, call.DeadlineAt).TotalMilliseconds} ms passed {where}.{last}")
        {
            Cause = call.HasFailed ? call.LastFailure.Cause : null,
            Exception = call.HasFailed ? call.LastFailure.Exception : null,
        });
    }
}
