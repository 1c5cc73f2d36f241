using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// A request with a slice of a list. One oneof contains the start index or "from the beginning", another the end index or "to the end". If several alternatives
/// of a oneof occur, the last one is used. If a oneof is missing, the slice is unbounded at that end. A missing oneof does not mean index 0, because SDKs
/// always send an index, even if it is 0.
/// </summary>
internal ref struct SliceRequest
{
    private int _start;
    private int _end;
    private bool _hasStart;
    private bool _hasEnd;

    /// <summary>The key of the list.</summary>
    public ReadOnlySpan<byte> Name;

    /// <summary>The TTL in milliseconds; used only by ListRetain.</summary>
    public ulong TtlMs;

    /// <summary>Whether to refresh the TTL; used only by ListRetain.</summary>
    public bool Refresh;

    public readonly ListSlice Slice => new(_hasStart ? _start : null, _hasEnd ? _end : null);

    /// <summary>Decodes the request and checks the key. Returns null on success.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out SliceRequest fields)
    {
        SliceRequest decoded = default;
        ProtoReader reader = new(request);
        while (reader.NextField() && decoded.ReadField(ref reader))
        {
        }

        fields = decoded;
        return reader.IsMalformed ? CallError.Malformed : CallRules.CheckKey(fields.Name);
    }

    /// <summary>Decodes a slice from a nested message, in which the four fields of the slice have the numbers 1 to 4. Returns null on success.</summary>
    public static CallError? DecodeNested(ReadOnlySpan<byte> message, out ListSlice slice)
    {
        SliceRequest decoded = default;
        ProtoReader reader = new(message);
        while (reader.NextField() && decoded.ReadBound(ref reader, reader.Field))
        {
        }

        slice = decoded.Slice;
        return reader.IsMalformed ? CallError.Malformed : null;
    }

    private bool ReadField(scoped ref ProtoReader reader)
    {
        switch (reader.Field, reader.WireType)
        {
            case (1, ProtoWireType.LengthDelimited):
                return reader.TryReadBytes(out Name);
            case (6, ProtoWireType.Varint):
                return reader.TryReadVarint(out TtlMs);
            case (7, ProtoWireType.Varint):
                bool read = reader.TryReadVarint(out ulong refresh);
                Refresh = refresh != 0;
                return read;
            default:
                return ReadBound(ref reader, reader.Field - 1);
        }
    }

    private bool ReadBound(scoped ref ProtoReader reader, int bound)
    {
        switch (bound, reader.WireType)
        {
            case (1, ProtoWireType.LengthDelimited):
                _hasStart = false;
                return reader.TrySkip();
            case (2, ProtoWireType.Varint):
                _hasStart = true;
                return reader.TryReadSInt32(out _start);
            case (3, ProtoWireType.LengthDelimited):
                _hasEnd = false;
                return reader.TrySkip();
            case (4, ProtoWireType.Varint):
                _hasEnd = true;
                return reader.TryReadSInt32(out _end);
            default:
                return reader.TrySkip();
        }
    }
}
