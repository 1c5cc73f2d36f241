using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The requests' ranges of scores.</summary>
internal static class ScoreBounds
{
    /// <summary>Null where both bounds of a range are numbers, if they are there.</summary>
    public static CallError? Check(ScoreRange range) =>
        (range.Min is { } min && double.IsNaN(min)) || (range.Max is { } max && double.IsNaN(max)) ? CollectionErrors.NoNumber : null;

    /// <summary>Reads a bound: 1 a score, 2 whether that score itself is left out.</summary>
    public static bool TryRead(ReadOnlySpan<byte> message, out double score, out bool isExcluded)
    {
        score = 0;
        ulong excludes = 0;
        ProtoReader reader = new(message);
        while (reader.NextField())
        {
            bool read = reader.Is(1, ProtoWireType.Fixed64) ? reader.TryReadDouble(out score)
                : reader.Is(2, ProtoWireType.Varint) ? reader.TryReadVarint(out excludes)
                : reader.TrySkip();
            if (!read)
            {
                break;
            }
        }

        isExcluded = excludes != 0;
        return !reader.IsMalformed;
    }
}
