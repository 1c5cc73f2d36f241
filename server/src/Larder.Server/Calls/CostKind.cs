namespace Larder.Server.Calls;

/// <summary>The property of a call that determines its cost. The values correspond to the column <c>cost</c> in the table of operations.</summary>
internal enum CostKind
{
    /// <summary>The cost is constant and always low.</summary>
    Constant,

    /// <summary>The cost depends on the size of the request, which is copied.</summary>
    Bytes,

    /// <summary>The cost depends on the number of elements in the request. Each element is looked up, added or removed.</summary>
    Elements,

    /// <summary>The cost depends on the size of the stored value, which is copied or hashed.</summary>
    Value,

    /// <summary>The cost depends on the number of elements that are read from the collection or removed from it.</summary>
    Collection,

    /// <summary>The cost depends on the total number of elements in all collections that are read.</summary>
    Sources,
}
