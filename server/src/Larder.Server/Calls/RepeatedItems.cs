using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Walks the items of a batch request: the messages in its field 1, in order.</summary>
internal ref struct RepeatedItems(ReadOnlySpan<byte> request)
{
    private ProtoReader _reader = new(request);

    /// <summary>True once the request proved to be no batch.</summary>
    public readonly bool IsMalformed => _reader.IsMalformed;

    /// <summary>The bytes walked so far; after <see cref="Next"/> the item ends here.</summary>
    public readonly int Position => _reader.Position;

    /// <summary>The next item; false at the end and on malformed bytes.</summary>
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
