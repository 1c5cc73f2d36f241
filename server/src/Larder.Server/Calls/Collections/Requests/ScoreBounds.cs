using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Parses and checks score ranges.</summary>
internal static class ScoreBounds
{
    /// <summary>Checks that the given bounds of a range are not NaN. Returns null on success.</summary>
    public static CallError? Check(ScoreRange range) =>
        (range.Min is { } min && double.IsNaN(min)) || (range.Max is { } max && double.IsNaN(max)) ? CollectionErrors.NoNumber : null;

    /// <summary>Parses a bound of a range. Field 1 is the score. Field 2 determines whether the range excludes this score.</summary>
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
