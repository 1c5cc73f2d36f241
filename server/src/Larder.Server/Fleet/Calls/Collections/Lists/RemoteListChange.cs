using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>The calls that remove elements of a list and answer its length afterwards: a script each.</summary>
/// <param name="isIdempotent">Whether it may be sent again where it may have run.</param>
internal abstract class RemoteListChange(bool isIdempotent) : RemoteCall(isIdempotent)
{
    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        CollectionReply.WriteLength(reply, response);
        return null;
    }
}
