using System.Buffers;

namespace Larder.Client.Codecs;

/// <summary>
/// How values of one type are written as bytes and read: <see cref="JsonCodec{T}"/>, <see cref="TextCodec"/>, <see cref="BytesCodec"/>, MessagePack in its own
/// package, or one of yours. Used by many threads at one time. Rules: <c>protocol/spec/codecs.md</c>.
/// </summary>
/// <typeparam name="T">The type; null values never come here, and are stored as such.</typeparam>
public interface IValueCodec<T>
{
    /// <summary>What the bytes are, as a stored value says it: 1 to 4 of Larder's own codecs, 128 to 255 of yours.</summary>
    byte Content { get; }

    /// <summary>Writes a value. What it throws is the caller's, and nothing is stored.</summary>
    void Encode(T value, IBufferWriter<byte> output);

    /// <summary>Reads a value, of bytes that anybody may have written. What it throws is a <see cref="CacheErrorCode.DecodingFailed"/>.</summary>
    /// <param name="payload">All of the value's bytes, for as long as this call takes.</param>
    T? Decode(ReadOnlyMemory<byte> payload);
}
