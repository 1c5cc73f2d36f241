using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Encodes an element with its score as a message in field 1. The message contains the element in field 1 and its score in field 2.</summary>
internal readonly struct ScoredElement : IElementFormat
{
    /// <summary>The maximum encoded size of a score: a tag and a double.</summary>
    public const int MaxScoreBytes = 1 + sizeof(double);

    // The tags and lengths of the message and of the element, and the score.
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

    /// <summary>Returns the encoded size of a score in field 2. Proto3 omits the value 0 but not the value −0.</summary>
    public static int MeasureScore(double score) => BitConverter.DoubleToInt64Bits(score) == 0 ? 0 : MaxScoreBytes;
}
