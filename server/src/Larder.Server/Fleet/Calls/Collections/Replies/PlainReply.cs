using Larder.Redis;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Bytes: the members of a set, the elements of a list, those of a sorted set without their scores.</summary>
internal readonly struct PlainReply : IReplyElement
{
    public static int CountIn(RespReader reply) => reply.Count;

    public static CollectionElement Next(scoped ref RespReader reply)
    {
        reply.Read();
        return new CollectionElement(reply.Bytes, default, 0, isPresent: true);
    }
}
