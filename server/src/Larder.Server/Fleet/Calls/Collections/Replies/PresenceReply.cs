using Larder.Redis;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Reads whether a requested element is present. The reply contains 1 or 0 for each element.</summary>
internal readonly struct PresenceReply : IReplyElement
{
    public static int CountIn(RespReader reply) => reply.Count;

    public static CollectionElement Next(scoped ref RespReader reply)
    {
        reply.Read();
        return new CollectionElement(default, default, 0, reply.Integer != 0);
    }
}
