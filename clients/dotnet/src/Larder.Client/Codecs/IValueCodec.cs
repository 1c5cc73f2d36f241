using System.Buffers;

namespace Larder.Client.Codecs;

/// <summary>
/// Encodes and decodes values of one type: <see cref="JsonCodec{T}"/>, <see cref="TextCodec"/>, <see cref="BytesCodec"/>, MessagePack in its own package, or
/// your own. Must be thread-safe. Rules: <c>protocol/spec/codecs.md</c>.
/// </summary>
/// <typeparam name="T">The type of the values. The typed cache stores null itself; the codec never gets null.</typeparam>
public interface IValueCodec<T>
{
    /// <summary>Gets the content type that is stored with each value: 1 to 4 for Larder's own codecs, 128 to 255 for yours.</summary>
    byte Content { get; }

    /// <summary>Encodes a value. If it throws, the caller gets the exception and nothing is stored.</summary>
    void Encode(T value, IBufferWriter<byte> output);

    /// <summary>
    /// Decodes a value. The bytes are untrusted: any client may have written them. If it throws, the call fails with
    /// <see cref="CacheErrorCode.DecodingFailed"/>.
    /// </summary>
    /// <param name="payload">All of the value's bytes. They are valid only during this call.</param>
    T? Decode(ReadOnlyMemory<byte> payload);
}
