namespace Larder.Server.Calls;

/// <summary>The variants of SetDifference.</summary>
internal enum SetDifferenceKind
{
    /// <summary>Replaces the set with the given elements minus the elements of the set.</summary>
    From,

    /// <summary>Removes the given elements from the set.</summary>
    Of,

    /// <summary>Removes all elements of the set.</summary>
    All,
}
