using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>The elements of one command, with the other arguments of the request. These are all elements of the request or a part of them.</summary>
/// <param name="name">The collection's key.</param>
/// <param name="elements">The elements.</param>
/// <param name="ttl">The TTL; used only for a write.</param>
/// <param name="truncateTo">The number of elements that the list keeps; used only for a push. 0 keeps all elements.</param>
internal readonly ref struct ElementsPart(ReadOnlySpan<byte> name, CollectionBatch elements, CollectionTtl ttl = default, uint truncateTo = 0)
{
    public readonly ReadOnlySpan<byte> Name = name;
    public readonly CollectionBatch Elements = elements;
    public readonly CollectionTtl Ttl = ttl;
    public readonly uint TruncateTo = truncateTo;
}
