namespace Larder.Agent;

/// <summary>The kind of calls that a load makes.</summary>
internal enum LoadCalls
{
    /// <summary>A read gets an item, and a write sets an item.</summary>
    Items,

    /// <summary>A read gets a field of a dictionary, and a write sets a field.</summary>
    Fields,

    /// <summary>A read removes and returns the first element of a list, and a write appends an element.</summary>
    Queues,

    /// <summary>A read gets the rank of an element of a sorted set, and a write sets the score of an element.</summary>
    Ranks,
}
