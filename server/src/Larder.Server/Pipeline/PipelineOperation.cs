using Larder.Wire.Protobuf;

namespace Larder.Server.Pipeline;

/// <summary>One operation of a batch. Its spans are parts of the message and are not copied.</summary>
internal ref struct PipelineOperation
{
    /// <summary>The field number of <c>Operation.cancel</c>.</summary>
    public const int CancelField = 7;

    /// <summary>The field number of <c>Operation.near_open</c>.</summary>
    public const int NearOpenField = 80;

    /// <summary>The field number of <c>Operation.near_renew</c>.</summary>
    public const int NearRenewField = 81;

    public uint Id;

    /// <summary>The cache name in UTF-8; empty for the default cache of the stream.</summary>
    public ReadOnlySpan<byte> Cache;

    /// <summary>The time that remained until the deadline when the operation was sent, in milliseconds; 0 for no deadline.</summary>
    public uint DeadlineMs;

    /// <summary>Whether the client may cache the result (NEAR-2).</summary>
    public bool IsNear;

    /// <summary>The field number of the call; 0 if the operation contains no call. If there are several calls, the last one is used.</summary>
    public int CallField;

    /// <summary>The call's request message.</summary>
    public ReadOnlySpan<byte> Request;

    /// <summary>Decodes an operation. Returns false if the bytes are malformed.</summary>
    public static bool TryDecode(ReadOnlySpan<byte> encoded, out PipelineOperation operation)
    {
        PipelineOperation decoded = default;
        ProtoReader reader = new(encoded);
        while (reader.NextField() && decoded.ReadField(ref reader))
        {
        }

        operation = decoded;
        return !reader.IsMalformed;
    }

    private bool ReadField(scoped ref ProtoReader reader)
    {
        switch (reader.WireType)
        {
            case ProtoWireType.LengthDelimited when reader.Field >= 4:
                CallField = reader.Field;
                return reader.TryReadBytes(out Request);
            case ProtoWireType.LengthDelimited when reader.Field == 2:
                return reader.TryReadBytes(out Cache);
            case ProtoWireType.Varint when reader.Field == 1:
                return TryReadUInt32(ref reader, out Id);
            case ProtoWireType.Varint when reader.Field == 3:
                return TryReadUInt32(ref reader, out DeadlineMs);
            case ProtoWireType.Varint when reader.Field == 64:
                bool read = TryReadUInt32(ref reader, out uint near);
                IsNear = near != 0;
                return read;
            default:
                return reader.TrySkip();
        }
    }

    private static bool TryReadUInt32(scoped ref ProtoReader reader, out uint value)
    {
        bool read = reader.TryReadVarint(out ulong wide);
        value = (uint)wide;
        return read;
    }
}
