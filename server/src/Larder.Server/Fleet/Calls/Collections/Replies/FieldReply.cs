using Larder.Redis;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Reads a dictionary's field and its value from consecutive reply items.</summary>
internal readonly struct FieldReply : IReplyElement
{
    public static int CountIn(RespReader reply) => reply.Count / 2;

    public static CollectionElement Next(scoped ref RespReader reply)
    {
        reply.Read();
        ReadOnlySpan<byte> field = reply.Bytes;
        reply.Read();
        return new CollectionElement(field, reply.Bytes, 0, isPresent: true);
    }
}
