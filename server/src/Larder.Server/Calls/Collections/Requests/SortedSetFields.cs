using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The fields of <c>SortedSetFetchRequest</c>: a range by index or by score. If both occur, the last one is used.</summary>
internal ref struct SortedSetFields
{
    // The fields SortedSetFetchRequest.by_index and .by_score.
    private const int ByIndex = 4;
    private const int ByScore = 5;

    private int _choice;
    private ReadOnlySpan<byte> _range;
    private ulong _order;

    public ReadOnlySpan<byte> Name;
    public bool WithScores;
    public ListSlice Slice;
    public ScoreRange Scores;

    /// <summary>For a range by score: the number of elements to skip.</summary>
    public uint Offset;

    /// <summary>For a range by score: the maximum number of elements; negative for no maximum.</summary>
    public int Count;

    public readonly bool IsByScore => _choice == ByScore;

    public readonly SortedSetOrder Order => (SortedSetOrder)_order;

    /// <summary>Decodes and checks the request. Returns null on success.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out SortedSetFields fields)
    {
        SortedSetFields decoded = default;
        ProtoReader reader = new(request);
        while (reader.NextField() && decoded.ReadField(ref reader))
        {
        }

        CallError? error = reader.IsMalformed ? CallError.Malformed : CallRules.CheckKey(decoded.Name) ?? decoded.CheckChoice();
        fields = decoded;
        return error;
    }

    private CallError? CheckChoice()
    {
        if (_order > (ulong)SortedSetOrder.Descending)
        {
            return CollectionErrors.UnknownOrder;
        }

        return _choice switch
        {
            0 => CollectionErrors.NoChoice,
            ByScore => DecodeScores() ? ScoreBounds.Check(Scores) : CallError.Malformed,
            _ => SliceRequest.DecodeNested(_range, out Slice),
        };
    }

    private bool ReadField(scoped ref ProtoReader reader)
    {
        switch (reader.Field, reader.WireType)
        {
            case (1, ProtoWireType.LengthDelimited):
                return reader.TryReadBytes(out Name);
            case (2, ProtoWireType.Varint):
                return reader.TryReadVarint(out _order);
            case (3, ProtoWireType.Varint):
                bool read = reader.TryReadVarint(out ulong withScores);
                WithScores = withScores != 0;
                return read;
            case (ByIndex or ByScore, ProtoWireType.LengthDelimited):
                _choice = reader.Field;
                return reader.TryReadBytes(out _range);
            default:
                return reader.TrySkip();
        }
    }

    private bool DecodeScores()
    {
        ProtoReader reader = new(_range);
        while (reader.NextField() && ReadBound(ref reader))
        {
        }

        return !reader.IsMalformed;
    }

    private bool ReadBound(scoped ref ProtoReader reader)
    {
        switch (reader.Field, reader.WireType)
        {
            case (1, ProtoWireType.LengthDelimited):
                Scores = Scores with { Min = null, ExcludesMin = false };
                return reader.TrySkip();
            case (2, ProtoWireType.LengthDelimited):
                bool hasMin = TryReadScore(ref reader, out double min, out bool excludesMin);
                Scores = Scores with { Min = min, ExcludesMin = excludesMin };
                return hasMin;
            case (3, ProtoWireType.LengthDelimited):
                Scores = Scores with { Max = null, ExcludesMax = false };
                return reader.TrySkip();
            case (4, ProtoWireType.LengthDelimited):
                bool hasMax = TryReadScore(ref reader, out double max, out bool excludesMax);
                Scores = Scores with { Max = max, ExcludesMax = excludesMax };
                return hasMax;
            case (5, ProtoWireType.Varint):
                bool hasOffset = reader.TryReadVarint(out ulong offset);
                Offset = (uint)offset;
                return hasOffset;
            case (6, ProtoWireType.Varint):
                return reader.TryReadSInt32(out Count);
            default:
                return reader.TrySkip();
        }
    }

    private static bool TryReadScore(scoped ref ProtoReader reader, out double score, out bool isExcluded)
    {
        score = 0;
        isExcluded = false;
        return reader.TryReadBytes(out ReadOnlySpan<byte> bound) && ScoreBounds.TryRead(bound, out score, out isExcluded);
    }
}
