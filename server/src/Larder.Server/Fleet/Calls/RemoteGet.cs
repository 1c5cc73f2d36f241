using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Server.Fleet;

/// <summary>Runs Get as the Redis command GET.</summary>
internal sealed class RemoteGet() : RemoteKeyCall("GET")
{
    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (reply.IsNull)
        {
            response.WriteMessage(GetCall.Miss);
            return null;
        }

        ReadOnlySpan<byte> value = reply.Bytes;
        if (value.Length > command.Target.MaxAnswerBytes)
        {
            return CallError.UseUnary;
        }

        int length = GetCall.MeasureHit(value.Length);
        ProtoWriter writer = new(response.GetSpan(length));
        GetCall.WriteHit(ref writer, value);
        response.Advance(length);
        return null;
    }
}
