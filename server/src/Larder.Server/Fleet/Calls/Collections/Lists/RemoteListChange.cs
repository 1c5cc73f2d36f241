using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Base of the calls that run a script which removes elements from a list and returns the new length.</summary>
/// <param name="isIdempotent">Whether the command may be resent if it is unknown whether it has run.</param>
internal abstract class RemoteListChange(bool isIdempotent) : RemoteCall(isIdempotent)
{
    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        CollectionReply.WriteLength(reply, response);
        return null;
    }
}
