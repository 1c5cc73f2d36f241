using System.Buffers;

namespace Larder.Store;

/// <summary>Writes the value to a buffer writer.</summary>
internal readonly struct BufferSink(IBufferWriter<byte> destination) : IValueSink
{
    /// <inheritdoc />
    public void Accept(ReadOnlySpan<byte> value) => destination.Write(value);
}
