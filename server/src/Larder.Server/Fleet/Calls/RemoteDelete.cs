using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs Delete as UNLINK, which frees a large collection in the background instead of blocking the node.</summary>
internal sealed class RemoteDelete() : RemoteCall(isIdempotent: true)
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        command.BeginDelete(key);
        return null;
    }

    // DeleteResponse has no fields, so nothing is written.
    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response) => null;
}
