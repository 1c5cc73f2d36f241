using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>SortedSetGetScore: ZMSCORE.</summary>
internal sealed class RemoteSortedSetGetScore()
    : RemoteLookUp<ScoreReply, ScorePart>("ZCARD"u8.ToArray(), "ZMSCORE"u8.ToArray(), FleetLimits.ElementsAtOnce, Instead.OfSortedSetGetScore);
