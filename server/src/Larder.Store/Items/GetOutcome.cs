namespace Larder.Store;

/// <summary>What a get found.</summary>
public enum GetOutcome
{
    /// <summary>Nothing.</summary>
    Miss,

    /// <summary>A value, which the sink has received.</summary>
    Hit,

    /// <summary>A collection.</summary>
    WrongType,
}
