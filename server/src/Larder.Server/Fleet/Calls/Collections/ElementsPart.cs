using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>The arguments of one command: some or all elements of the request, and the other arguments of the request.</summary>
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
