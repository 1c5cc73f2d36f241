using System.Buffers;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>A message that stays as its bytes, for handlers that decode in place.</summary>
internal sealed class BytesCodec : MessageCodec<ReadOnlyMemory<byte>>
{
    public static readonly BytesCodec Instance = new();

    public override int Measure(ReadOnlyMemory<byte> message) => message.Length;

    public override void Encode(ReadOnlyMemory<byte> message, IBufferWriter<byte> to) => to.Write(message.Span);

    public override ReadOnlyMemory<byte> Decode(in ReadOnlySequence<byte> payload) => payload.ToArray();
}
