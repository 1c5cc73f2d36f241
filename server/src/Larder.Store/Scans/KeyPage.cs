namespace Larder.Store;

/// <summary>A page of a scan of keys.</summary>
/// <param name="Keys">The keys, in no particular order. The list is empty if no visited key matches the filter.</param>
/// <param name="Cursor">The cursor for the next page; empty if this is the last page.</param>
public sealed record KeyPage(IReadOnlyList<ScannedKey> Keys, byte[] Cursor);
