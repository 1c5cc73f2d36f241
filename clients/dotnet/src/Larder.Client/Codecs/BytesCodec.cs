using System.Buffers;

namespace Larder.Client.Codecs;

/// <summary>Stores bytes unchanged. With an envelope they can be compressed, and null can be stored.</summary>
public sealed class BytesCodec : IValueCodec<byte[]>
{
    /// <inheritdoc/>
    public byte Content => 1;

    /// <inheritdoc/>
    public void Encode(byte[] value, IBufferWriter<byte> output) => output.Write(value);

    /// <inheritdoc/>
    public byte[] Decode(ReadOnlyMemory<byte> payload) => payload.ToArray();
}
