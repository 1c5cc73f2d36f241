namespace Larder.Server.Calls;

/// <summary>What a SetDifference does.</summary>
internal enum SetDifferenceKind
{
    /// <summary>The set becomes the elements less what it holds.</summary>
    From,

    /// <summary>The elements are removed.</summary>
    Of,

    /// <summary>All elements are removed.</summary>
    All,
}
