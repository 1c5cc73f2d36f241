namespace Larder.Server.Fleet;

/// <summary>The phases of a union.</summary>
internal enum UnionPhase
{
    /// <summary>The elements of the sources are counted.</summary>
    Counting,

    /// <summary>The sources are read one after the other, page by page.</summary>
    Reading,

    /// <summary>A union of many elements is written to a temporary key, in parts.</summary>
    WritingAside,

    /// <summary>The union replaces the destination. This is the last command.</summary>
    Placing,
}
