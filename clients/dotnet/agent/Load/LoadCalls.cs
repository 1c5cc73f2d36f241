namespace Larder.Agent;

/// <summary>The kind of calls that a load makes.</summary>
internal enum LoadCalls
{
    /// <summary>A read gets an item; a write sets it.</summary>
    Items,

    /// <summary>A read gets a field of a dictionary; a write sets it.</summary>
    Fields,

    /// <summary>A read pops the first element of a list; a write appends one.</summary>
    Queues,

    /// <summary>A read gets a member's rank in a sorted set; a write sets its score.</summary>
    Ranks,
}
