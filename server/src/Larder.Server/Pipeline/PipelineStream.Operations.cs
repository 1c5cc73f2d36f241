using Larder.Server.Calls;
using Larder.Server.Fleet;
using Larder.Server.Metrics;
using Larder.Server.Near;
using Larder.Store;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Server.Pipeline;

/// <summary>The methods that run operations.</summary>
internal sealed partial class PipelineStream
{
    // The field Batch.operations.
    private const int OperationsField = 1;

    internal static readonly CallError UnknownCall = new(StatusCode.Unimplemented, "unknown call; the pipeline of this server does not support it");

    /// <summary>
    /// Runs the operations of a message, beginning at <paramref name="position"/>. Returns false if a limit stopped the method before the end of the message.
    /// The caller must then flush and call the method again.
    /// </summary>
    private bool RunOperations(ReadOnlySpan<byte> message, ref int position)
    {
        ProtoReader reader = new(message[position..]);
        while (reader.NextField())
        {
            if (!reader.Is(OperationsField, ProtoWireType.LengthDelimited))
            {
                reader.TrySkip();
                continue;
            }

            if (!reader.TryReadBytes(out ReadOnlySpan<byte> encoded))
            {
                break;
            }

            RunOperation(encoded);

            EmitIfFull();
            if (_slice.Count() || _pendingBytes >= PipelineLimits.MaxPendingBytes || _held is { IsFull: true } || _deferred is { IsFull: true })
            {
                position += reader.Position;
                return false;
            }
        }

        return reader.IsMalformed ? throw Failure(StatusCode.InvalidArgument, "the message is not a valid batch") : true;
    }

    private void RunOperation(ReadOnlySpan<byte> encoded)
    {
        if (!PipelineOperation.TryDecode(encoded, out PipelineOperation operation))
        {
            // The error cannot be reported without the ID of the operation. Canonical encoders write the ID first, so it is usually known.
            RunMalformed(operation.Id);
            return;
        }

        if (operation.CallField == PipelineOperation.CancelField)
        {
            _held?.Cancel(operation.Id);
            _deferred?.Cancel(operation.Id);
            return;
        }

        if (operation.CallField is PipelineOperation.NearOpenField or PipelineOperation.NearRenewField)
        {
            RunNear(operation);
        }
        else if (_access?.Refuse(operation.CallField, operation.Cache, operation.Request) is { } denial)
        {
            Fail(operation.Id, operation.CallField, denial);
        }
        else if (_remote is not null)
        {
            RunRemote(_remote, operation);
        }
        else if (Refuse(operation, out Cache? cache) is { } refusal)
        {
            Fail(operation.Id, operation.CallField, refusal);
        }
        else if (_held is null || !_held.TryHold(operation))
        {
            Run(operation, TargetOf(cache!), operation.IsNear ? _near : null);
        }
    }

    private void RunRemote(RemoteStream remote, in PipelineOperation operation)
    {
        bool hasRoom = true;
        if (remote.Refuse(operation, out RemoteCache? cache) is { } refusal)
        {
            hasRoom = remote.Fail(operation.Id, operation.CallField, refusal);
        }
        else if (_held is null || !_held.TryHold(operation))
        {
            if (_gap.IsDue(_host.Metrics.Sampler) && PipelineCalls.Find(operation.CallField) is { } call)
            {
                _host.Metrics.Sampler.Take(cache!.Name, call.Name, operation.Request, _gap.Weight, startedAt: 0);
            }

            hasRoom = remote.Run(operation.Id, operation.CallField, operation.DeadlineMs, cache!, operation.Request, operation.IsNear);
        }

        StopIf(!hasRoom);
    }

    // If the gateway's limit is reached, sets the number of pending bytes to its maximum. The existing check of that maximum then stops the reading.
    private void StopIf(bool isFull)
    {
        if (isFull)
        {
            _pendingBytes = PipelineLimits.MaxPendingBytes;
        }
    }

    private void RunMalformed(uint id)
    {
        if (id == 0)
        {
            throw Failure(StatusCode.InvalidArgument, "an operation of the batch is malformed");
        }

        Fail(id, 0, CallError.Malformed);
    }

    private CallError? Refuse(in PipelineOperation operation, out Cache? cache)
    {
        cache = operation.Cache.IsEmpty ? _cache : _host.Store.Find(operation.Cache);
        if (cache is null)
        {
            return UnknownCache(operation.Cache);
        }

        if (_isResuming)
        {
            return CallError.Resuming;
        }

        return operation.DeadlineMs != 0 && Elapsed().TotalMilliseconds >= operation.DeadlineMs ? CallError.PastDeadline : null;
    }

    private CallError UnknownCache(ReadOnlySpan<byte> name)
    {
        string text = name.IsEmpty ? _cacheName : System.Text.Encoding.UTF8.GetString(name);
        return CacheName.IsValid(text) ? CallError.CacheNotFound(text) : CallError.NoCacheName;
    }

    private void Run(in PipelineOperation operation, CallTarget target, NearStream? near = null)
    {
        if (_gap.IsDue(_host.Metrics.Sampler))
        {
            RunSampled(operation, target, near);
        }
        else
        {
            RunAlone(operation, target, near);
        }
    }

    private void RunSampled(in PipelineOperation operation, CallTarget target, NearStream? near)
    {
        long startedAt = CallSampler.Now();
        RunAlone(operation, target, near);
        if (PipelineCalls.Find(operation.CallField) is { } call)
        {
            _host.Metrics.Sampler.Take(target.Cache.Name, call.Name, operation.Request, _gap.Weight, startedAt);
        }
    }

    private void RunAlone(in PipelineOperation operation, CallTarget target, NearStream? near)
    {
        switch (operation.CallField)
        {
            case PipelineCalls.GetField when near is not null:
                RunNearGet(operation.Id, near, target, operation.Request);
                break;
            case PipelineCalls.GetField:
                RunGet(operation.Id, target, operation.Request);
                break;
            case PipelineCalls.SetField:
                RunSet(operation.Id, target, operation.Request);
                break;
            default:
                RunOther(operation, target);
                break;
        }

        _meters.Moved(operation.CallField, operation.Request.Length, _replies.TakeWritten());
    }

    private void RunGet(uint id, CallTarget target, ReadOnlySpan<byte> request)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            Fail(id, PipelineCalls.GetField, error);
            return;
        }

        PipelinedHitSink hit = new(_replies, id);
        FinishGet(id, target.Cache.Get(key, ref hit));
    }

    // If the get found a value, its result has already been written.
    private void FinishGet(uint id, GetOutcome outcome)
    {
        if (outcome == GetOutcome.WrongType)
        {
            Fail(id, PipelineCalls.GetField, CallError.WrongType);
            return;
        }

        if (outcome == GetOutcome.Miss)
        {
            _replies.WriteResult(id, PipelineCalls.GetField, GetCall.Miss);
        }

        _meters.Succeeded(PipelineCalls.GetField);
    }

    private void RunSet(uint id, CallTarget target, ReadOnlySpan<byte> request)
    {
        if (SetCall.Store(target, request) is { } error)
        {
            Fail(id, PipelineCalls.SetField, error);
            return;
        }

        _replies.WriteResult(id, PipelineCalls.SetField, SetCall.Ok);
        _meters.Succeeded(PipelineCalls.SetField);
    }

    private CallError? Handle(CacheCall call, CallTarget target, ReadOnlySpan<byte> request)
    {
        CallPace.Current = CallPace.Short;
        try
        {
            return call.Handler(target, request, _replies);
        }
        catch (InsufficientMemoryException)
        {
            return CallError.NoMemory;
        }
        catch (RpcException noBuffer) when (noBuffer.Status.Code == StatusCode.ResourceExhausted)
        {
            return CallError.NoBuffer;
        }
        finally
        {
            CallPace.Current = null;
        }
    }

    private void RunOther(in PipelineOperation operation, CallTarget target)
    {
        (uint id, int field) = (operation.Id, operation.CallField);
        if (PipelineCalls.Find(field) is not { } call)
        {
            Fail(id, field, UnknownCall);
            return;
        }

        if (call.IsLong(operation.Request.Length))
        {
            Defer(operation, call, target);
            return;
        }

        _replies.BeginResult();
        CallError? error = Handle(call, target, operation.Request);
        if (error is null)
        {
            _replies.EndResult(id, field);
        }
        else if (ReferenceEquals(error, CallError.Deferred))
        {
            _replies.DropResult();
            Defer(operation, call, target);
            return;
        }
        else if (ReferenceEquals(error, CallError.UseUnary))
        {
            _replies.ReplaceByUseUnary(id);
        }
        else
        {
            _replies.FailResult(id, error);
            _meters.Failed(field, error.Code, Elapsed());
            return;
        }

        _meters.Succeeded(field);
    }

    private CallTarget TargetOf(Cache cache) => new(cache, _host.Rules, PipelineLimits.MaxAnswerBytes);

    private void Fail(uint id, int field, CallError error)
    {
        if (_remote is not null)
        {
            // Error results are collected like other results and have the same limits.
            StopIf(!_remote.Fail(id, field, error));
            return;
        }

        _replies.WriteError(id, error);
        _meters.Failed(field, error.Code, Elapsed());
        _meters.Moved(field, 0, _replies.TakeWritten());
    }

    private readonly struct PipelinedHitSink(ReplyBuffer replies, uint id) : IValueSink
    {
        public void Accept(ReadOnlySpan<byte> value)
        {
            if (value.Length > PipelineLimits.MaxValueBytes)
            {
                replies.WriteUseUnary(id);
            }
            else
            {
                replies.WriteHit(id, PipelineCalls.GetField, value);
            }
        }
    }
}
