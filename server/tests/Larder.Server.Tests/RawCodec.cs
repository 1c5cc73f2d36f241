using System.Buffers;
using Larder.Wire;

namespace Larder.Server.Tests;

/// <summary>A codec for messages as raw bytes.</summary>
internal sealed class RawCodec : MessageCodec<byte[]>
{
    public override int Measure(byte[] message) => message.Length;

    public override void Encode(byte[] message, IBufferWriter<byte> destination) => destination.Write(message);

    public override byte[] Decode(in ReadOnlySequence<byte> payload) => payload.ToArray();
}
