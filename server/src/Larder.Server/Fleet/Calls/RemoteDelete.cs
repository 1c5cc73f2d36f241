using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Delete: UNLINK, so that a large collection holds nobody up.</summary>
internal sealed class RemoteDelete() : RemoteKeyCall("UNLINK")
{
    // DeleteResponse has no fields: nothing is written.
    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response) => null;
}
