using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>A page of a scan of a collection.</summary>
/// <param name="Type">The type of the collection.</param>
/// <param name="Bytes">The bytes of all elements.</param>
/// <param name="Elements">
/// The fields, members or elements, as offsets into <see cref="Bytes"/>. The elements of a list are in order. Other elements are in no particular order.
/// </param>
/// <param name="Cursor">The cursor for the next page; empty if this is the last page.</param>
public sealed record ElementPage(ItemType Type, ReadOnlyMemory<byte> Bytes, IReadOnlyList<CollectionItem> Elements, byte[] Cursor);
