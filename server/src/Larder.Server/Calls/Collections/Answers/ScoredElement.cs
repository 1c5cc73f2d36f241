using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>A message in field 1 of Found's arm with scores: 1 an element, 2 its score.</summary>
internal readonly struct ScoredElement : IElementFormat
{
    /// <summary>A tag and a double.</summary>
    public const int MostScoreBytes = 1 + sizeof(double);

    // Two tags and lengths, and the score.
    public static int BytesBeside => (2 * (1 + 4)) + MostScoreBytes;

    // SortedSetFetchResponse.Found.with_scores
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

    /// <summary>Bytes of a score in field 2: proto3 leaves 0 out, but not −0.</summary>
    public static int MeasureScore(double score) => BitConverter.DoubleToInt64Bits(score) == 0 ? 0 : MostScoreBytes;
}
