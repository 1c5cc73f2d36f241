using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Larder.Server.Pipeline;

/// <summary>The methods that read from the client, and the behaviour during shutdown.</summary>
/// <remarks>
/// A read is cancelled only by its token. Another thread must not wake the reader, because the request may already have ended and its objects may have been
/// reused.
/// </remarks>
internal sealed partial class PipelineStream
{
    // Cancels the current read. The first cancellation occurs when the server shuts down or the access token becomes invalid, the second at the end of the
    // grace period.
    private CancellationToken _reads;
    private CancellationTokenSource? _drainOver;

    // Whether the last read had to wait for bytes. If it had to, this turn runs on the thread that received the bytes.
    private bool _hasWaited;

    /// <summary>
    /// Reads the next bytes. Returns null if the grace period after "draining" is over. Uses a pooled state machine, like the method that runs a turn.
    /// </summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ReadResult?> ReadAsync(CancellationToken cancelled)
    {
        while (true)
        {
            try
            {
                ValueTask<ReadResult> read = _input.ReadAsync(_reads);
                _hasWaited = !read.IsCompleted;
                return await read.ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_reads.IsCancellationRequested && !cancelled.IsCancellationRequested)
            {
                _access?.BeginTurn(_host.TimeProvider.GetTimestamp());
                if (_drainOver is not null || _access?.Refusal is not null)
                {
                    return null;
                }

                await AnnounceDrainingAsync(cancelled).ConfigureAwait(false);
            }
        }
    }

    private async ValueTask AnnounceDrainingAsync(CancellationToken cancelled)
    {
        _drainOver = new CancellationTokenSource(PipelineLimits.DrainGrace, _host.TimeProvider);
        _reads = _drainOver.Token;
        if (_gate is not null)
        {
            await _gate.EnterAsync(cancelled).ConfigureAwait(false);
        }

        try
        {
            if (_remote is not null)
            {
                _remote.WriteDraining();
            }
            else
            {
                _replies.WriteDraining();
            }

            await FlushAsync(cancelled).ConfigureAwait(false);
        }
        finally
        {
            LeaveOutput();
        }
    }
}
