using System.Buffers;
using Larder.Client.Operations;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Client;

/// <summary>Contains the RPC method of an operation, for decoded responses and for raw response bytes.</summary>
internal static class UnaryMethod<TOperation, TResponse>
    where TOperation : IOperation<TOperation, TResponse>
    where TResponse : class
{
    public static RpcMethod<TOperation, TResponse> Unary { get; } = new(TOperation.Info.Path, new RequestCodec(), new ResponseCodec());

    public static RpcMethod<TOperation, byte[]> Stream { get; } = new(TOperation.Info.Path, new RequestCodec(), new BytesCodec());

    private sealed class RequestCodec : MessageCodec<TOperation>
    {
        public override int Measure(TOperation message) => message.Measure();

        public override void Encode(TOperation message, IBufferWriter<byte> destination)
        {
            int length = message.Measure();
            ProtoWriter writer = new(destination.GetSpan(length)[..length]);
            message.Write(ref writer);
            destination.Advance(length);
        }

        public override TOperation Decode(in ReadOnlySequence<byte> payload) => throw new NotSupportedException("A client does not read requests.");
    }

    private sealed class ResponseCodec : MessageCodec<TResponse>
    {
        public override int Measure(TResponse message) => throw new NotSupportedException("A client does not send responses.");

        public override void Encode(TResponse message, IBufferWriter<byte> destination) => throw new NotSupportedException("A client does not send responses.");

        public override TResponse Decode(in ReadOnlySequence<byte> payload)
        {
            if (payload.IsSingleSegment)
            {
                return TOperation.Decode(payload.FirstSpan);
            }

            int length = checked((int)payload.Length);
            byte[] rented = ArrayPool<byte>.Shared.Rent(length);
            try
            {
                payload.CopyTo(rented);
                return TOperation.Decode(rented.AsSpan(0, length));
            }
            finally
            {
                ArrayPool<byte>.Shared.Return(rented);
            }
        }
    }

    private sealed class BytesCodec : MessageCodec<byte[]>
    {
        public override int Measure(byte[] message) => throw new NotSupportedException("A client does not send responses.");

        public override void Encode(byte[] message, IBufferWriter<byte> destination) => throw new NotSupportedException("A client does not send responses.");

        public override byte[] Decode(in ReadOnlySequence<byte> payload) => payload.ToArray();
    }
}
