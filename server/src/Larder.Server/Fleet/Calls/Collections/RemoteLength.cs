using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>The calls that count a collection's elements. One without any is none.</summary>
/// <param name="verb">The command, in ASCII.</param>
internal abstract class RemoteLength(byte[] verb) : RemoteKeyCall(verb)
{
    public sealed override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (reply.Integer == 0)
        {
            response.WriteEmptyArm(CollectionAnswer.Missing);
        }
        else
        {
            CollectionReply.WriteLength(reply, response);
        }

        return null;
    }
}
