using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs ItemGetTtl as PTTL. Redis rounds the milliseconds up, whereas Larder rounds them down (TTL-6).</summary>
internal sealed class RemoteItemGetTtl() : RemoteKeyCall("PTTL")
{
    private const long NoSuchKey = -2;
    private const long NoExpiry = -1;

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        switch (reply.Integer)
        {
            case NoSuchKey:
                ItemGetTtlAnswer.Missing(response);
                break;
            case NoExpiry:
                // The item has no TTL, so it was not written by a gateway: every item that a gateway writes has a TTL.
                ItemGetTtlAnswer.Found(response, (ulong)command.Target.Rules.MaxTtlMs);
                break;
            case long remainingMs:
                ItemGetTtlAnswer.Found(response, (ulong)Math.Max(remainingMs - 1, 0));
                break;
        }

        return null;
    }
}
