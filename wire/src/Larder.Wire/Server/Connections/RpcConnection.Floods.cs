using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// Contains the handling of floods. A flooding connection is closed after a delay. During the delay, the server does not read from it, so its frames cost
/// nothing. If the connection were closed immediately, a client that reconnects could make the server open and close thousands of connections a second. This
/// would cost other clients more than the frames.
/// </summary>
internal sealed partial class RpcConnection
{
    // The time for which a flooding connection stays open without being read. It is short, because a flooding connection must be closed within seconds.
    private static readonly TimeSpan FloodHold = TimeSpan.FromSeconds(2);

    // The maximum number of such connections in the whole process. Each of them uses a file descriptor and the memory of its socket buffer. Further
    // flooding connections are closed immediately.
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
            // The time has passed. If the wait ends without this exception, the server has closed the connection.
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
