using System.IO.Pipelines;
using Larder.Server.Calls;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>How answers leave, and how the stream drains.</summary>
internal sealed partial class PipelineStream
{
    private CancellationTokenSource _slowReader = new();
    private ITimer? _drainTimer;
    private bool _hasAnnouncedDraining;
    private volatile bool _isDrainOver;

    /// <summary>Emits what is gathered and flushes; a client that takes nothing for the grace ends its stream.</summary>
    private ValueTask FlushAsync(CancellationToken cancelled)
    {
        if (_replies.HasResults)
        {
            _pendingBytes += _replies.Emit(_output);
        }

        if (_pendingBytes == 0)
        {
            return ValueTask.CompletedTask;
        }

        _pendingBytes = 0;
        ValueTask<FlushResult> flush = _output.FlushAsync(cancelled);
        if (flush.IsCompletedSuccessfully)
        {
            ThrowIfGone(flush.Result);
            return ValueTask.CompletedTask;
        }

        return AwaitFlushAsync(flush);
    }

    private async ValueTask AwaitFlushAsync(ValueTask<FlushResult> flush)
    {
        if (!_slowReader.TryReset())
        {
            _slowReader.Dispose();
            _slowReader = new CancellationTokenSource();
        }

        _slowReader.CancelAfter(PipelineLimits.SlowReaderGrace);
        using (_slowReader.Token.UnsafeRegister(static output => ((PipeWriter)output!).CancelPendingFlush(), _output))
        {
            ThrowIfGone(await flush.ConfigureAwait(false));
        }
    }

    private static void ThrowIfGone(FlushResult result)
    {
        if (result.IsCanceled)
        {
            throw Failure(StatusCode.ResourceExhausted, $"the client took no answer for {PipelineLimits.SlowReaderGrace.TotalSeconds:0} s");
        }

        if (result.IsCompleted)
        {
            throw new OperationCanceledException("the client is gone");
        }
    }

    /// <summary>Once the server goes away: says so, and starts the grace. False when the grace is over.</summary>
    private bool AnnounceDraining()
    {
        if (_host.Draining.IsCancellationRequested && !_hasAnnouncedDraining)
        {
            _hasAnnouncedDraining = true;
            _replies.WriteDraining();
            _drainTimer = _host.TimeProvider.CreateTimer(EndDrain, this, PipelineLimits.DrainGrace, Timeout.InfiniteTimeSpan);
        }

        return !_isDrainOver;
    }

    private static void EndDrain(object? state)
    {
        PipelineStream stream = (PipelineStream)state!;
        stream._isDrainOver = true;
        stream._input.CancelPendingRead();
    }

    /// <summary>Answers a call that fault injection held back. The caller has entered the output.</summary>
    private ValueTask AnswerHeldAsync(HeldCall call, CallError? error, CancellationToken cancelled)
    {
        string cacheName = call.CacheName.Length == 0 ? _cacheName : call.CacheName;
        Cache? cache = _host.Store.Find(cacheName);
        error ??= cache is null ? CallError.CacheNotFound(cacheName) : null;
        if (error is null)
        {
            Run(call.Id, call.CallField, new CallTarget(cache!, _host.Rules), call.Request);
        }
        else
        {
            Fail(call.Id, call.CallField, error);
        }

        return FlushAsync(cancelled);
    }
}
