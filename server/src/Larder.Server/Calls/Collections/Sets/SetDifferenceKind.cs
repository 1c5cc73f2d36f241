namespace Larder.Server.Calls;

/// <summary>The kind of a SetDifference.</summary>
internal enum SetDifferenceKind
{
    /// <summary>Replaces the set with the given elements minus its own.</summary>
    From,

    /// <summary>Removes the given elements from the set.</summary>
    Of,

    /// <summary>Removes all elements.</summary>
    All,
}
