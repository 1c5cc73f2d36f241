namespace Larder.Store;

/// <summary>The outcome of a get.</summary>
public enum GetOutcome
{
    /// <summary>The key was not found.</summary>
    Miss,

    /// <summary>A value was found and passed to the sink.</summary>
    Hit,

    /// <summary>The item under the key is a collection.</summary>
    WrongType,
}
