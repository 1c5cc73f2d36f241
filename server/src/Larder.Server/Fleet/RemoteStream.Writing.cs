using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Pipeline;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <content>The methods that write a single response. The caller of each must hold the lock.</content>
internal sealed partial class RemoteStream
{
    private CallError? Write(RemoteCommand command, ref RespReader reply)
    {
        bool hasBegun = false;
        try
        {
            if (command.Field == PipelineCalls.GetField)
            {
                WriteGet(command, ref reply);
                return null;
            }

            _replies.BeginResult();
            hasBegun = true;
            CallError? error = command.Call!.Answer(command, ref reply, _replies);
            EndResult(command, error);
            return error;
        }
#pragma warning disable CA1031 // An exception while writing a response fails that call, not the node's connection.
        catch (Exception thrown)
#pragma warning restore CA1031
        {
            Fault(command, thrown, hasBegun);
            return null;
        }
    }

    // This is the hot path. The size is known in advance, so the length does not have to be written afterwards.
    private void WriteGet(RemoteCommand command, ref RespReader reply)
    {
        if (reply.IsNull)
        {
            _replies.WriteResult(command.Id, PipelineCalls.GetField, GetCall.Miss);
        }
        else if (reply.Bytes.Length > PipelineLimits.MaxValueBytes)
        {
            _replies.WriteUseUnary(command.Id);
        }
        else if (command.IsTracked)
        {
            WriteNearHit(command, reply.Bytes);
        }
        else
        {
            _replies.WriteHit(command.Id, PipelineCalls.GetField, reply.Bytes);
        }

        Written(command, StatusCode.Ok);
    }

    private void WriteJoined(RemoteCommand command)
    {
        _replies.BeginResult();
        try
        {
            EndResult(command, command.Join!.Answer(_replies));
        }
#pragma warning disable CA1031 // An exception while writing a response fails that call, not the node's connection.
        catch (Exception thrown)
#pragma warning restore CA1031
        {
            Fault(command, thrown, hasBegun: true);
        }
    }

    private void EndResult(RemoteCommand command, CallError? error)
    {
        if (error is null)
        {
            _replies.EndResult(command.Id, command.Field);
        }
        else if (ReferenceEquals(error, RemoteCall.Again))
        {
            _replies.DropResult();
            return;
        }
        else if (ReferenceEquals(error, CallError.UseUnary))
        {
            _replies.ReplaceByUseUnary(command.Id);
            error = null;
        }
        else
        {
            _replies.FailResult(command.Id, error);
        }

        Written(command, error?.Code ?? StatusCode.Ok);
    }

    private void WriteError(RemoteCommand command, CallError error)
    {
        _replies.WriteError(command.Id, error);
        Written(command, error.Code);
    }

    // Either there is not enough memory for the response, or an internal error has occurred.
    private void Fault(RemoteCommand command, Exception thrown, bool hasBegun)
    {
        CallError error = CallError.NoBuffer;
        if (thrown is not RpcException { Status.Code: StatusCode.ResourceExhausted })
        {
            error = FleetErrors.Unexpected;
            _gateway.Faults.Say(command.Call!.GetType().Name, thrown);
        }

        if (hasBegun)
        {
            _replies.DropResult();
        }

        try
        {
            WriteError(command, error);
        }
        catch (RpcException)
        {
            // There is not even enough memory for the error, so the stream is aborted.
            _abort();
        }
    }

    private void Written(RemoteCommand command, StatusCode status)
    {
        _gateway.Record(command.Field, status, command.StartedAt, command.RequestBytes, _replies.TakeWritten());
        EmitIfFull();
        JoinBatch();
    }
}
