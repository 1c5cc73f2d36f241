using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Base of the calls that remove elements from a list by a script and return the new length.</summary>
/// <param name="isIdempotent">Whether the call may be resent after it may have run.</param>
internal abstract class RemoteListChange(bool isIdempotent) : RemoteCall(isIdempotent)
{
    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        CollectionReply.WriteLength(reply, response);
        return null;
    }
}
