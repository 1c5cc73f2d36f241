using System.Buffers;
using Larder.Client.Codecs;
using Microsoft.Extensions.Caching.Hybrid;

namespace Larder.Client;

/// <summary>Encodes values with a serializer of the application.</summary>
internal sealed class SerializerCodec<T>(IHybridCacheSerializer<T> serializer) : IValueCodec<T>
{
    // The first content type for codecs of applications (CODEC-2).
    public byte Content => 128;

    public void Encode(T value, IBufferWriter<byte> output) => serializer.Serialize(value, output);

    public T? Decode(ReadOnlyMemory<byte> payload) => serializer.Deserialize(new ReadOnlySequence<byte>(payload));
}
