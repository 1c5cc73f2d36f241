using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>The elements that one command is about: a request's, or a part of them, with what the request says beside them.</summary>
/// <param name="name">The collection's key.</param>
/// <param name="elements">The elements.</param>
/// <param name="ttl">Of a write: its TTL.</param>
/// <param name="truncateTo">Of a push: how many elements to leave; 0: all.</param>
internal readonly ref struct ElementsPart(ReadOnlySpan<byte> name, CollectionBatch elements, CollectionTtl ttl = default, uint truncateTo = 0)
{
    public readonly ReadOnlySpan<byte> Name = name;
    public readonly CollectionBatch Elements = elements;
    public readonly CollectionTtl Ttl = ttl;
    public readonly uint TruncateTo = truncateTo;
}
