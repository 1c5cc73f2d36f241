using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Larder.Server.Pipeline;

/// <summary>How the stream reads, and what it does when the server goes away.</summary>
/// <remarks>
/// A read is given up by its token, never by waking the reader from another thread: by then the request may be gone, and reused.
/// </remarks>
internal sealed partial class PipelineStream
{
    // What gives up the read under way: first the server's going away or the token's, then the end of the grace.
    private CancellationToken _reads;
    private CancellationTokenSource? _drainOver;

    // Whether the last read waited for bytes: who brought them is the thread that runs now.
    private bool _hasWaited;

    /// <summary>Reads on; null when the grace after "draining" is over. Pooled, as the turn is.</summary>
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
