using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>The elements of one command, that is all elements of a request or a part of them, with the request's other arguments.</summary>
/// <param name="name">The collection's key.</param>
/// <param name="elements">The elements.</param>
/// <param name="ttl">For a write: the TTL.</param>
/// <param name="truncateTo">For a push: the number of elements to keep. 0 keeps all.</param>
internal readonly ref struct ElementsPart(ReadOnlySpan<byte> name, CollectionBatch elements, CollectionTtl ttl = default, uint truncateTo = 0)
{
    public readonly ReadOnlySpan<byte> Name = name;
    public readonly CollectionBatch Elements = elements;
    public readonly CollectionTtl Ttl = ttl;
    public readonly uint TruncateTo = truncateTo;
}
