using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs Delete as UNLINK, which frees a large collection in the background instead of blocking the node.</summary>
internal sealed class RemoteDelete() : RemoteKeyCall("UNLINK")
{
    // DeleteResponse has no fields, so nothing is written.
    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response) => null;

    protected override void BeginCommand(ReadOnlySpan<byte> key, RemoteCommand command) => command.BeginDelete(key);
}
