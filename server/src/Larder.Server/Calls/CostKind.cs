namespace Larder.Server.Calls;

/// <summary>What the work of a call depends on: the column <c>cost</c> of the table of operations.</summary>
internal enum CostKind
{
    /// <summary>Constant: always short.</summary>
    Constant,

    /// <summary>The size of the request, which is copied.</summary>
    Bytes,

    /// <summary>The number of elements in the request: each is looked up, added or removed.</summary>
    Elements,

    /// <summary>The size of the stored value, which is copied or hashed.</summary>
    Value,

    /// <summary>The number of elements that are read or removed in the collection.</summary>
    Collection,

    /// <summary>The number of elements in all collections that are read.</summary>
    Sources,
}
