using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client.Calls;

/// <content>
/// Calls that wait for a provider's token: for the first token, or for a new token after the server rejected the current token (AUTH-30 to AUTH-33).
/// </content>
internal sealed partial class CallRunner
{
    // The maximum number of times that a rejected call waits for a new token. One wait is not always enough: the retry may be sent on a stream that was opened
    // with an outdated token, and be rejected although the newer token is valid. If a call is rejected more often than this, such streams are not the cause.
    private const int MaxRenewals = 4;

    // Returns whether a rejected call may wait for a new token and be sent again. The server rejects the token before it runs the call (AUTH-3), so this is
    // safe even for calls that are not idempotent.
    private static bool MayRenew(TokenSource tokens, Call call, in Failure failure) =>
        failure.Code == StatusCode.Unauthenticated
        && (call.Renewals == 0 || (call.Renewals < MaxRenewals && failure.Shown > 0 && failure.Shown < tokens.Current.Number));

    // Makes a call wait for a token whose version is higher than shown. The call must be Busy. It is then BackingOff until the token arrives or the deadline
    // passes.
    private void AwaitToken(TokenSource tokens, Call call, long version, int shown)
    {
        call.AwaitsToken = true;
        call.RetryAt = call.DeadlineAt;
        call.Leave(version, CallPhase.BackingOff);
        _ = ContinueAsync(tokens, call, version, shown);
    }

    private async Task ContinueAsync(TokenSource tokens, Call call, long version, int shown)
    {
        NoToken? missing = await tokens.NewerThanAsync(shown).On(PoolQueue.Work);
        if (!call.TryMove(version, CallPhase.BackingOff, CallPhase.Busy))
        {
            return;
        }

        call.AwaitsToken = false;
        if (missing is null)
        {
            Transport.Resume(call, version);
            return;
        }

        string refused = call.HasFailed ? call.LastFailure.Message : "";
        string message = refused.Length > 0 && missing.Message.Length > 0 ? $"{refused}; {missing.Message}" : refused + missing.Message;
        Failure failure = _closed
            ? new Failure(StatusCode.Cancelled, "The client was closed.")
            : new Failure(StatusCode.Unauthenticated, message) { Cause = call.HasFailed ? call.LastFailure.Cause : null, Exception = missing.Exception };
        call.Leave(version, CallPhase.Sent);
        CallPhase phase = call.TryEnd(version);
        if (phase != CallPhase.Idle)
        {
            Finish(call, phase, ErrorOf(call, failure));
        }
    }
}
