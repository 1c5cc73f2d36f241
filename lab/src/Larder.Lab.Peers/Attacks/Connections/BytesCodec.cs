using System.Buffers;
using Larder.Wire;

namespace Larder.Lab.Peers.Attacks;

/// <summary>Serializes messages that are already bytes, without changing them.</summary>
internal sealed class BytesCodec : MessageCodec<byte[]>
{
    /// <summary>Returns a unary call whose messages are bytes.</summary>
    public static RpcMethod<byte[], byte[]> Method(string path) => new(path, new BytesCodec(), new BytesCodec());

    /// <inheritdoc/>
    public override int Measure(byte[] message) => message.Length;

    /// <inheritdoc/>
    public override void Encode(byte[] message, IBufferWriter<byte> destination) => destination.Write(message);

    /// <inheritdoc/>
    public override byte[] Decode(in ReadOnlySequence<byte> payload) => payload.ToArray();
}
