using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// A flooding connection is not closed immediately but first left unread for a while, during which its frames cost nothing. If it were closed, a
/// client that reconnects immediately could make the server open and close thousands of connections a second, which would cost other clients more
/// than the frames did.
/// </summary>
internal sealed partial class RpcConnection
{
    // A flood must end within seconds.
    private static readonly TimeSpan FloodHold = TimeSpan.FromSeconds(2);

    // The maximum number for the whole process. Each holds a descriptor and the data in its socket buffer. Further flooding connections are closed immediately.
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
            // The time is over. If the wait ends without this exception, the server has ended the connection.
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
