using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// Encodes and decodes messages of one type. <typeparamref name="T"/> may be a struct that contains the arguments of a call. A codec is stateless, so many
/// calls can use it concurrently.
/// </summary>
/// <typeparam name="T">The type of the message.</typeparam>
public abstract class MessageCodec<T>
{
    /// <summary>Returns the encoded length of <paramref name="message"/>, in bytes.</summary>
    public abstract int Measure(T message);

    /// <summary>
    /// Writes <paramref name="message"/> to <paramref name="destination"/>. The method must write exactly as many bytes as <see cref="Measure"/> returns.
    /// </summary>
    public abstract void Encode(T message, IBufferWriter<byte> destination);

    /// <summary>Decodes a message. The caller owns the memory of <paramref name="payload"/>, so the codec must copy the bytes that it keeps.</summary>
    /// <exception cref="RpcException">The payload is not a valid message of this type.</exception>
    public abstract T Decode(in ReadOnlySequence<byte> payload);
}
