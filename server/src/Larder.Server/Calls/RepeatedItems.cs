using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Enumerates the items of a batch request: the messages in its field 1, in order.</summary>
internal ref struct RepeatedItems(ReadOnlySpan<byte> request)
{
    private ProtoReader _reader = new(request);

    /// <summary>Gets whether a malformed part of the request has been found.</summary>
    public readonly bool IsMalformed => _reader.IsMalformed;

    /// <summary>Gets the number of bytes read so far. After <see cref="Next"/>, this is the offset of the end of the item.</summary>
    public readonly int Position => _reader.Position;

    /// <summary>Reads the next item. Returns false at the end or if the request is malformed.</summary>
    public bool Next(out ReadOnlySpan<byte> item)
    {
        while (_reader.NextField())
        {
            if (_reader.Is(1, ProtoWireType.LengthDelimited))
            {
                return _reader.TryReadBytes(out item);
            }

            if (!_reader.TrySkip())
            {
                break;
            }
        }

        item = default;
        return false;
    }
}
