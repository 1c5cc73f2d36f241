using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The fields of <c>SortedSetLengthByScoreRequest</c>: the sorted set's key in field 1, and a range of scores in the fields after it.</summary>
internal ref struct ScoresRequest
{
    public ReadOnlySpan<byte> Name;
    public ScoreRange Scores;

    /// <summary>Decodes and checks the request. Returns null on success.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out ScoresRequest fields)
    {
        ScoresRequest decoded = default;
        ProtoReader reader = new(request);
        while (reader.NextField())
        {
            bool read = reader.Is(1, ProtoWireType.LengthDelimited) ? reader.TryReadBytes(out decoded.Name) : TryReadBound(ref reader, ref decoded.Scores);
            if (!read)
            {
                break;
            }
        }

        fields = decoded;
        return reader.IsMalformed ? CallError.Malformed : CallRules.CheckKey(decoded.Name) ?? ScoreBounds.Check(decoded.Scores);
    }

    // Fields: 2 inclusive minimum, 3 exclusive minimum, 4 no minimum; 5 inclusive maximum, 6 exclusive maximum, 7 no maximum. If several fields of a group
    // occur, the last one is used.
    private static bool TryReadBound(scoped ref ProtoReader reader, ref ScoreRange range)
    {
        switch (reader.Field, reader.WireType)
        {
            case (2 or 3, ProtoWireType.Fixed64):
                bool hasMin = reader.TryReadDouble(out double min);
                range = range with { Min = min, ExcludesMin = reader.Field == 3 };
                return hasMin;
            case (4, ProtoWireType.LengthDelimited):
                range = range with { Min = null, ExcludesMin = false };
                return reader.TrySkip();
            case (5 or 6, ProtoWireType.Fixed64):
                bool hasMax = reader.TryReadDouble(out double max);
                range = range with { Max = max, ExcludesMax = reader.Field == 6 };
                return hasMax;
            case (7, ProtoWireType.LengthDelimited):
                range = range with { Max = null, ExcludesMax = false };
                return reader.TrySkip();
            default:
                return reader.TrySkip();
        }
    }
}
