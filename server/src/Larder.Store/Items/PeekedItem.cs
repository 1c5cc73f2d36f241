namespace Larder.Store;

/// <summary>An item as <see cref="Cache.Peek"/> met it.</summary>
/// <param name="Type">What it holds.</param>
/// <param name="RemainingMs">Whole milliseconds that it has left, floored.</param>
/// <param name="ValueBytes">The length of a scalar's value; 0 of another item.</param>
/// <param name="CopiedBytes">How much of it was copied.</param>
public readonly record struct PeekedItem(ItemType Type, long RemainingMs, int ValueBytes, int CopiedBytes);
