namespace Larder.Server.Fleet;

/// <summary>What the time of a call depends on, as far as it is known before the call runs.</summary>
internal enum CallCost
{
    /// <summary>Nothing.</summary>
    Constant,

    /// <summary>The request's size.</summary>
    Request,

    /// <summary>The size of the value that is there.</summary>
    Value,

    /// <summary>The size of the collection that is there.</summary>
    Collection,

    /// <summary>The sizes of other collections.</summary>
    Sources,
}
