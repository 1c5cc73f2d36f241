using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Larder.Server.Pipeline;

/// <summary>Reading, and the behaviour during shutdown.</summary>
/// <remarks>
/// A read is cancelled by its token, never by waking the reader from another thread: by then the request may have ended and its objects may be
/// reused.
/// </remarks>
internal sealed partial class PipelineStream
{
    // Cancels the current read: first when the server shuts down or the access token becomes invalid, then at the end of the grace period.
    private CancellationToken _reads;
    private CancellationTokenSource? _drainOver;

    // Whether the last read had to wait for bytes. If so, the thread that received them runs this turn.
    private bool _hasWaited;

    /// <summary>Reads the next bytes; returns null when the grace period after "draining" is over. Uses a pooled state machine, as the turn does.</summary>
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
