using System.Buffers;

namespace Larder.Wire;

/// <summary>A contiguous buffer whose written bytes can still be changed, for example to fill in a length once it is known.</summary>
internal interface IGatheringWriter : IBufferWriter<byte>
{
    /// <summary>Gets the offset of the next byte.</summary>
    int Position { get; }

    /// <summary>Returns written bytes, starting at <paramref name="position"/>. The span is valid until the next write.</summary>
    Span<byte> At(int position, int count);
}
