namespace Larder.Client;

/// <summary>A range of consecutive elements of a list.</summary>
/// <param name="Begin">The index of the first element: 0 or more.</param>
/// <param name="Count">The number of elements: 0 or more. The part of the range beyond the end of the list is ignored.</param>
public readonly record struct ListRange(int Begin, int Count);
