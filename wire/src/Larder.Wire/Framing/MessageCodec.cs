using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// Turns messages of one type into bytes and back. <typeparamref name="T"/> may be a struct, so that a call's arguments are their own message.
/// A codec is used by many calls at once and keeps no state.
/// </summary>
/// <typeparam name="T">The message.</typeparam>
public abstract class MessageCodec<T>
{
    /// <summary>The encoded length of <paramref name="message"/> in bytes.</summary>
    public abstract int Measure(T message);

    /// <summary>Writes exactly <see cref="Measure"/> bytes to <paramref name="destination"/>.</summary>
    public abstract void Encode(T message, IBufferWriter<byte> destination);

    /// <summary>Reads a message. The payload's memory belongs to the caller: what is kept of it must be copied.</summary>
    /// <exception cref="RpcException">The bytes are no such message.</exception>
    public abstract T Decode(in ReadOnlySequence<byte> payload);
}
