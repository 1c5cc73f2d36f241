using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>The methods that defer long-running calls to workers, which complete them later.</summary>
internal sealed partial class PipelineStream
{
    private void Defer(in PipelineOperation operation, CacheCall call, CallTarget target)
    {
        _gate ??= new OutputGate(isEntered: true);
        _deferred ??= new DeferredCalls(_stream, _host.TimeProvider, _share, _gate, AnswerDeferredAsync, _host.OnFault);
        try
        {
            _deferred.Add(operation, call, target, _turnStart);
        }
        catch (RpcException noBuffer) when (noBuffer.Status.Code == StatusCode.ResourceExhausted)
        {
            Fail(operation.Id, operation.CallField, CallError.NoBuffer);
        }
    }

    // The caller must hold the output gate.
    private ValueTask AnswerDeferredAsync(DeferredCall call)
    {
        int field = call.Call.PipelineField;
        TimeSpan elapsed = _host.TimeProvider.GetElapsedTime(call.ArrivedAt);
        if (call.Error is null || ReferenceEquals(call.Error, CallError.UseUnary))
        {
            _meters.Succeeded(field);
        }
        else
        {
            _meters.Failed(field, call.Error.Code, elapsed);
        }

        _meters.Moved(field, 0, call.Reply.TakeWritten());
        _meters.EndTurn(elapsed);

        // The notifications of the changes that completed before the call must not follow its result.
        Emit();
        _pendingBytes += call.Reply.Emit(_output);
        return FlushAsync(_cancelled);
    }
}
