using System.Buffers;

namespace Larder.Client.Codecs;

/// <summary>Encodes byte arrays unchanged. Unlike an untyped call, a typed cache with this codec can store null and compress values.</summary>
public sealed class BytesCodec : IValueCodec<byte[]>
{
    /// <inheritdoc/>
    public byte Content => 1;

    /// <inheritdoc/>
    public void Encode(byte[] value, IBufferWriter<byte> output) => output.Write(value);

    /// <inheritdoc/>
    public byte[] Decode(ReadOnlyMemory<byte> payload) => payload.ToArray();
}
