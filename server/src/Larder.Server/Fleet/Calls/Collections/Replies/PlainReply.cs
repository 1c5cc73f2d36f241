using Larder.Redis;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Reads plain elements: members of a set, elements of a list, or members of a sorted set without scores.</summary>
internal readonly struct PlainReply : IReplyElement
{
    public static int CountIn(RespReader reply) => reply.Count;

    public static CollectionElement Next(scoped ref RespReader reply)
    {
        reply.Read();
        return new CollectionElement(reply.Bytes, default, 0, isPresent: true);
    }
}
