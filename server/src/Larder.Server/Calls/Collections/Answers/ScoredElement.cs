using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>An element with its score, as a message in field 1 of the message with scores in Found: 1 the element, 2 its score.</summary>
internal readonly struct ScoredElement : IElementFormat
{
    /// <summary>The maximum encoded size of a score: a tag and a double.</summary>
    public const int MaxScoreBytes = 1 + sizeof(double);

    // Two tags and lengths, and the score.
    public static int OverheadBytesPerElement => (2 * (1 + 4)) + MaxScoreBytes;

    // The field SortedSetFetchResponse.Found.with_scores.
    public static int Arm => 1;

    public static void Write(ref ProtoWriter writer, in CollectionElement element)
    {
        int score = MeasureScore(element.Score);
        writer.WriteLengthPrefix(1, ProtoWriter.BytesFieldLength(1, element.Name.Length) + score);
        writer.WriteBytesField(1, element.Name);
        if (score != 0)
        {
            writer.WriteDoubleField(2, element.Score);
        }
    }

    /// <summary>Returns the encoded size of a score in field 2. Proto3 omits 0, but not −0.</summary>
    public static int MeasureScore(double score) => BitConverter.DoubleToInt64Bits(score) == 0 ? 0 : MaxScoreBytes;
}
