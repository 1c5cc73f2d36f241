using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>GetWithHash: GET, and the hash made here.</summary>
internal sealed class RemoteGetWithHash() : RemoteKeyCall("GET"u8.ToArray())
{
    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
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
