using System.Buffers;

namespace Larder.Client.Codecs;

/// <summary>
/// Encodes and decodes values of one type: <see cref="JsonCodec{T}"/>, <see cref="TextCodec"/>, <see cref="BytesCodec"/>, the codec of the package
/// Larder.Client.MessagePack, or your own implementation. Implementations must be thread-safe. The specification is <c>protocol/spec/codecs.md</c>.
/// </summary>
/// <typeparam name="T">The type of the values. The typed cache stores null itself, so the codec never receives null.</typeparam>
public interface IValueCodec<T>
{
    /// <summary>Gets the content type that is stored with each value: 1 to 4 for Larder's own codecs, 128 to 255 for other codecs.</summary>
    byte Content { get; }

    /// <summary>
    /// Encodes a value and writes the bytes to <paramref name="output"/>. If this method throws, the caller of the cache gets the exception and nothing is
    /// stored.
    /// </summary>
    void Encode(T value, IBufferWriter<byte> output);

    /// <summary>
    /// Decodes a value. The bytes are untrusted: any client may have written them. If this method throws, the call fails with
    /// <see cref="CacheErrorCode.DecodingFailed"/>.
    /// </summary>
    /// <param name="payload">The encoded bytes of the whole value. They are valid only until this method returns.</param>
    T? Decode(ReadOnlyMemory<byte> payload);
}
