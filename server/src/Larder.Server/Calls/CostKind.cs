namespace Larder.Server.Calls;

/// <summary>What the work of a call grows with: the column <c>cost</c> of the table of operations.</summary>
internal enum CostKind
{
    /// <summary>Nothing: it is short.</summary>
    Constant,

    /// <summary>The bytes of its request, which are copied.</summary>
    Bytes,

    /// <summary>The elements of its request: each is looked up, added or removed.</summary>
    Elements,

    /// <summary>The value that is stored under its key, which is copied or hashed.</summary>
    Value,

    /// <summary>The elements of the collection that it reads or removes.</summary>
    Collection,

    /// <summary>All elements of the collections that it reads.</summary>
    Sources,
}
