using Larder.Redis;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>The score of an element that was asked for, or nothing.</summary>
internal readonly struct ScoreReply : IReplyElement
{
    public static int CountIn(RespReader reply) => reply.Count;

    public static CollectionElement Next(scoped ref RespReader reply)
    {
        reply.Read();
        return new CollectionElement(default, default, Of(reply), !reply.IsNull);
    }

    /// <summary>A score as this server answers it: −0, which a node may hold, is 0.</summary>
    public static double Of(in RespReader reply) => reply.TryGetDouble(out double score) ? score + 0.0 : 0;
}
