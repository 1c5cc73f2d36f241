using Larder.Redis;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Reads a dictionary field and its value from two consecutive items of the reply.</summary>
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
