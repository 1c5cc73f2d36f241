using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Writes an answer's elements one behind the other, where there is room for what the store was allowed: so it never throws.</summary>
/// <typeparam name="TElement">How.</typeparam>
/// <param name="room">Where.</param>
internal ref struct ElementSink<TElement>(Span<byte> room) : ICollectionSink
    where TElement : struct, IElementFormat
{
    private ProtoWriter _writer = new(room);

    /// <summary>Bytes so far.</summary>
    public readonly int Written => _writer.Written;

    public readonly void Begin(long elements)
    {
    }

    /// <summary>Takes elements that were written before.</summary>
    public void AcceptWritten(ReadOnlySpan<byte> elements) => elements.CopyTo(_writer.Reserve(elements.Length));

    public void Accept(scoped in CollectionElement element) => TElement.Write(ref _writer, element);
}
