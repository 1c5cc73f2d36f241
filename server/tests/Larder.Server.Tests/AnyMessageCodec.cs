using System.Buffers;
using Google.Protobuf;
using Larder.Wire;

namespace Larder.Server.Tests;

/// <summary>Encodes any generated message. Decoding is not supported.</summary>
internal sealed class AnyMessageCodec : MessageCodec<IMessage>
{
    public override int Measure(IMessage message) => message.CalculateSize();

    public override void Encode(IMessage message, IBufferWriter<byte> to) => message.WriteTo(to);

    public override IMessage Decode(in ReadOnlySequence<byte> payload) => throw new NotSupportedException("requests are only encoded");
}
