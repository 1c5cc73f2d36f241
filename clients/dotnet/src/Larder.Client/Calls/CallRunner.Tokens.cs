using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client.Calls;

/// <content>Calls that wait for a provider's token: the first, or another than the one that was refused (AUTH-30 to AUTH-33).</content>
internal sealed partial class CallRunner
{
    // A call is refused once with the token of its time. It may be refused again with that of a stream that was being opened meanwhile, which says
    // nothing of the newer one; more often than that is a server's whim.
    private const int MostRenewals = 4;

    // Refused before anything of it ran (AUTH-3), so that any call may be sent again.
    private static bool MayRenew(TokenSource tokens, Call call, in Failure failure) =>
        failure.Code == StatusCode.Unauthenticated
        && (call.Renewals == 0 || (call.Renewals < MostRenewals && failure.Shown > 0 && failure.Shown < tokens.Current.Number));

    // Takes the call Busy and leaves it backing off, for nobody but the token or its deadline.
    private void AwaitToken(TokenSource tokens, Call call, long version, int shown)
    {
        call.AwaitsToken = true;
        call.RetryAt = call.DeadlineAt;
        call.Leave(version, CallPhase.BackingOff);
        _ = GoOnAsync(tokens, call, version, shown);
    }

    private async Task GoOnAsync(TokenSource tokens, Call call, long version, int shown)
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
