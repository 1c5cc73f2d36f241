using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs SetIfNotExists as SET with NX.</summary>
internal sealed class RemoteSetIfNotExists() : RemoteCall(isIdempotent: false)
{
    private const int Stored = 1;
    private const int NotStored = 2;

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        CallError? error = ItemRequest.Decode(request, out ItemRequest item) ?? command.Target.Rules.CheckItem(item.Key, item.Value, item.TtlMs);
        if (error is null)
        {
            command.BeginSet(item, "NX"u8);
        }

        return error;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        response.WriteEmptyArm(reply.IsNull ? NotStored : Stored);
        return null;
    }
}
