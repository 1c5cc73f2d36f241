using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs Set as the Redis command SET with PX.</summary>
internal sealed class RemoteSet() : RemoteCall(isIdempotent: true)
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        CallError? error = ItemRequest.Decode(request, out ItemRequest item) ?? command.Target.Rules.CheckItem(item.Key, item.Value, item.TtlMs);
        if (error is null)
        {
            command.BeginSet(item);
        }

        return error;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        response.WriteMessage(SetCall.Ok);
        return null;
    }
}
