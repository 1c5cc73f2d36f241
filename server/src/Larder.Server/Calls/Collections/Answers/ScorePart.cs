using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// Encodes the result for one requested sorted set element as a message in field 1. The message contains "hit" or "miss" in field 1 and the score in field 2.
/// </summary>
internal readonly struct ScorePart : IElementFormat
{
    public static int OverheadBytesPerElement => 2 + PartResult.Bytes + ScoredElement.MaxScoreBytes;

    public static int Arm => 0;

    public static void Write(ref ProtoWriter writer, in CollectionElement element)
    {
        int score = ScoredElement.MeasureScore(element.Score);
        PartResult.Write(ref writer, element.IsPresent, score);
        if (score != 0)
        {
            writer.WriteDoubleField(2, element.Score);
        }
    }
}
