using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>What one call of a scan shows of a collection.</summary>
/// <param name="Type">What the collection is.</param>
/// <param name="Bytes">The bytes of all that is shown.</param>
/// <param name="Elements">Fields, members or elements, as places in these bytes; a list's in its order, others' in none that means anything.</param>
/// <param name="Cursor">Where the next call goes on; empty: this was the last.</param>
public sealed record ElementPage(ItemType Type, ReadOnlyMemory<byte> Bytes, IReadOnlyList<CollectionItem> Elements, byte[] Cursor);
