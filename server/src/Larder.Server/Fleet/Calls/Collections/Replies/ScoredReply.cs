using Larder.Redis;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>
/// Reads a member of a sorted set and its score. In the reply of a plain command they are a nested array, in the reply of a script two consecutive items.
/// </summary>
internal readonly struct ScoredReply : IReplyElement
{
    public static int CountIn(RespReader reply)
    {
        int values = reply.Count;
        return values > 0 && reply.Read() && reply.Kind == RespKind.Array ? values : values / 2;
    }

    public static CollectionElement Next(scoped ref RespReader reply)
    {
        reply.Read();
        if (reply.Kind == RespKind.Array)
        {
            reply.Read();
        }

        ReadOnlySpan<byte> element = reply.Bytes;
        reply.Read();
        return new CollectionElement(element, default, ScoreReply.Of(reply), isPresent: true);
    }
}
