using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Writes the elements of a response one after another. The store respects the response's limit, so the buffer is always large enough.</summary>
/// <typeparam name="TElement">The encoding of an element.</typeparam>
/// <param name="room">The buffer.</param>
internal ref struct ElementSink<TElement>(Span<byte> room) : ICollectionSink
    where TElement : struct, IElementFormat
{
    private ProtoWriter _writer = new(room);

    public readonly int Written => _writer.Written;

    public readonly void Begin(long elements)
    {
    }

    /// <summary>Appends elements that are already encoded.</summary>
    public void AcceptWritten(ReadOnlySpan<byte> elements) => elements.CopyTo(_writer.Reserve(elements.Length));

    public void Accept(scoped in CollectionElement element) => TElement.Write(ref _writer, element);
}
