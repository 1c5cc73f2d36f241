namespace Larder.Store;

/// <summary>The outcome of an increment.</summary>
public enum IncrementOutcome
{
    /// <summary>The sum was stored.</summary>
    Ok,

    /// <summary>The key's value is not a base-10 int64. Nothing was changed.</summary>
    NotAnInteger,

    /// <summary>The sum does not fit into an int64. Nothing was changed.</summary>
    Overflow,

    /// <summary>The item under the key is a collection. Nothing was changed.</summary>
    WrongType,

    /// <summary>The cache is deleted. Nothing is stored.</summary>
    NoCache,
}
