using Larder.Redis;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Reads the value of a requested field. The value is null if the field is missing.</summary>
internal readonly struct ValueReply : IReplyElement
{
    public static int CountIn(RespReader reply) => reply.Count;

    public static CollectionElement Next(scoped ref RespReader reply)
    {
        reply.Read();
        return new CollectionElement(default, reply.Bytes, 0, !reply.IsNull);
    }
}
