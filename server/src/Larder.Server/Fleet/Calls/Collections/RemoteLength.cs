using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Counts the elements of a collection. A length of 0 means that the collection does not exist, because Redis has no empty collections.</summary>
/// <param name="verb">The Redis command that counts the elements.</param>
internal sealed class RemoteLength(string verb) : RemoteKeyCall(verb)
{
    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
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
