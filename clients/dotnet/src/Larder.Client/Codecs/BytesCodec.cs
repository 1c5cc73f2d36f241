using System.Buffers;

namespace Larder.Client.Codecs;

/// <summary>Bytes as they are; with an envelope they can be compressed, or be none.</summary>
public sealed class BytesCodec : IValueCodec<byte[]>
{
    /// <inheritdoc/>
    public byte Content => 1;

    /// <inheritdoc/>
    public void Encode(byte[] value, IBufferWriter<byte> output) => output.Write(value);

    /// <inheritdoc/>
    public byte[] Decode(ReadOnlyMemory<byte> payload) => payload.ToArray();
}
