namespace Larder.Agent;

/// <summary>What a load's reads and writes are.</summary>
internal enum LoadCalls
{
    /// <summary>A get and a set.</summary>
    Items,

    /// <summary>A dictionary's field got and set.</summary>
    Fields,

    /// <summary>A list's first element taken, and one added behind its last.</summary>
    Queues,

    /// <summary>A member's rank in a sorted set, and its score set.</summary>
    Ranks,
}
