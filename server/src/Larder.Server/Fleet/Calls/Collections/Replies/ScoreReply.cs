using Larder.Redis;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Reads the score of a requested element. The score is null if the element is missing.</summary>
internal readonly struct ScoreReply : IReplyElement
{
    public static int CountIn(RespReader reply) => reply.Count;

    public static CollectionElement Next(scoped ref RespReader reply)
    {
        reply.Read();
        return new CollectionElement(default, default, Of(reply), !reply.IsNull);
    }

    /// <summary>Returns the score in a reply. Replaces −0, which a node may store, by 0.</summary>
    public static double Of(in RespReader reply) => reply.TryGetDouble(out double score) ? score + 0.0 : 0;
}
