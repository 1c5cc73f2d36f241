using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Counts the elements of a collection. Redis has no empty collections: a length of 0 means that it does not exist.</summary>
/// <param name="verb">The Redis command that counts.</param>
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
