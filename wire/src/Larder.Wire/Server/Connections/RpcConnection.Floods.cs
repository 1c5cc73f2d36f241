using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// A connection that floods is not dropped at once but left unread for a while first. Its frames cost nothing more then, and a peer that opens the
/// next connection as soon as one is dropped cannot make the server open and close thousands a second, which cost its other clients more than the frames did.
/// </summary>
internal sealed partial class RpcConnection
{
    // "Within seconds" is asked of a flood's end.
    private static readonly TimeSpan FloodHold = TimeSpan.FromSeconds(2);

    // Of this process. Each holds a descriptor and what its socket has received; one more is dropped at once.
    private const int MaxHeldFloods = 256;

    private static int s_heldFloods;
    private readonly AnswerAllowance _allowance = new();
    private TaskCompletionSource? _held;

    private async Task HoldAsync(Http2ErrorCode code)
    {
        if (code != Http2ErrorCode.EnhanceYourCalm)
        {
            return;
        }

        try
        {
            if (Interlocked.Increment(ref s_heldFloods) <= MaxHeldFloods)
            {
                await BeginHold().WaitAsync(FloodHold).ConfigureAwait(false);
            }
        }
        catch (TimeoutException)
        {
            // Held long enough; otherwise the server ended the connection meanwhile.
        }
        finally
        {
            Interlocked.Decrement(ref s_heldFloods);
        }
    }

    private Task BeginHold()
    {
        lock (_lock)
        {
            if (_isGone || _closingSinceMs != 0)
            {
                return Task.CompletedTask;
            }

            _held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _held.Task;
        }
    }
}
