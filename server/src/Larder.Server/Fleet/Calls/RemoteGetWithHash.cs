using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs GetWithHash as GET. The gateway computes the hash.</summary>
internal sealed class RemoteGetWithHash() : RemoteCall(isIdempotent: true)
{
    public override Effort FirstEffort => Effort.Light;

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        command.KeepRequest(request);
        command.BeginValueGet(key);
        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (command.NeedsTurnAsHeavy(reply))
        {
            return command.Target.MaxAnswerBytes <= FleetLimits.LightBytes ? CallError.UseUnary : command.BeginHeavy();
        }

        if (reply.IsNull)
        {
            response.WriteEmptyArm(GetWithHashCall.Missing);
            return null;
        }

        ReadOnlySpan<byte> value = reply.Bytes;
        if (value.Length > command.Target.MaxAnswerBytes)
        {
            return CallError.UseUnary;
        }

        GetWithHashCall.WriteFound(response, value);
        return null;
    }
}
