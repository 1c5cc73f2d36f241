namespace Larder.Client;

/// <summary>Elements of a list that stand side by side.</summary>
/// <param name="Begin">The first one's index: 0 or more.</param>
/// <param name="Count">How many: 0 or more. Those behind the list's end do not count.</param>
public readonly record struct ListRange(int Begin, int Count);
