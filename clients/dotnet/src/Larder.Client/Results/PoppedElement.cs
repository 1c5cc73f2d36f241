namespace Larder.Client;

/// <summary>An element that was removed from the front or the back of a list.</summary>
/// <param name="Value">The element.</param>
/// <param name="Length">The number of elements in the list after the removal.</param>
public readonly record struct PoppedElement(CacheValue Value, int Length)
{
    internal PoppedElement(byte[] value, int length)
        : this(new CacheValue(value), length)
    {
    }

    /// <summary>Returns only the element's length in bytes, because elements may be secrets.</summary>
    public override string ToString() => Value.ToString();
}
