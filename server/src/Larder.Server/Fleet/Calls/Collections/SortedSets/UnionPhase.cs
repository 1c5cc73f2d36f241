namespace Larder.Server.Fleet;

/// <summary>How far a union has come.</summary>
internal enum UnionPhase
{
    /// <summary>The sources' elements are counted.</summary>
    Counting,

    /// <summary>The sources are read, one after the other, by some elements at a time.</summary>
    Reading,

    /// <summary>A union of many elements is written aside, some at a time.</summary>
    WritingAside,

    /// <summary>Nothing more is sent once what is under way has put the union in its place.</summary>
    Placing,
}
