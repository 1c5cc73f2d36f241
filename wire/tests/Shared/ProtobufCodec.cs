using System.Buffers;
using Google.Protobuf;

namespace Larder.Wire;

/// <summary>
/// The codec of a generated protobuf message, for tests and benchmarks. The shipped libraries use hand-written code to encode and decode their messages.
/// </summary>
/// <typeparam name="T">The generated class.</typeparam>
internal sealed class ProtobufCodec<T> : MessageCodec<T>
    where T : class, IMessage<T>, new()
{
    private readonly MessageParser<T> _parser = new(static () => new T());

    public override int Measure(T message) => message.CalculateSize();

    public override void Encode(T message, IBufferWriter<byte> destination) => message.WriteTo(destination);

    public override T Decode(in ReadOnlySequence<byte> payload)
    {
        try
        {
            return _parser.ParseFrom(payload);
        }
        catch (InvalidProtocolBufferException error)
        {
            throw new RpcException(new Status(StatusCode.InvalidArgument, $"The message is no {typeof(T).Name}: {error.Message}"));
        }
    }
}
