using System.IO.Pipelines;
using Larder.Server.Calls;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>The methods that send results.</summary>
internal sealed partial class PipelineStream
{
    /// <summary>Writes the collected results to the output and flushes it. Aborts the stream if the client accepts no bytes during the grace period.</summary>
    private ValueTask FlushAsync(CancellationToken cancelled)
    {
        if (_remote is not null)
        {
            _pendingBytes = 0;
            return _remote.EndTurnAsync();
        }

        Emit();
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
        try
        {
            ThrowIfGone(await flush.AsTask().WaitAsync(PipelineLimits.SlowReaderGrace, _host.TimeProvider).ConfigureAwait(false));
        }
        catch (TimeoutException)
        {
            _abort();
            throw new OperationCanceledException($"the client read no response for {PipelineLimits.SlowReaderGrace.TotalSeconds:0} s");
        }
    }

    private static void ThrowIfGone(FlushResult result)
    {
        if (result.IsCompleted || result.IsCanceled)
        {
            throw new OperationCanceledException("the client disconnected");
        }
    }

    /// <summary>Completes a call that fault injection delayed. The caller must hold the output gate.</summary>
    private ValueTask AnswerHeldAsync(HeldCall call, CallError? error, CancellationToken cancelled)
    {
        if (_remote is not null)
        {
            _remote.RunHeld(call, error);
            return ValueTask.CompletedTask;
        }

        string cacheName = call.CacheName.Length == 0 ? _cacheName : call.CacheName;
        Cache? cache = _host.Store.Find(cacheName);
        error ??= cache is null ? CallError.CacheNotFound(cacheName) : null;
        if (error is null)
        {
            Run(new PipelineOperation { Id = call.Id, CallField = call.CallField, Request = call.Request }, TargetOf(cache!));
        }
        else
        {
            Fail(call.Id, call.CallField, error);
        }

        return FlushAsync(cancelled);
    }
}
