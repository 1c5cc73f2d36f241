namespace Larder.Client;

/// <summary>The outcomes of a <see cref="LookupResult{T}"/>.</summary>
public enum LookupOutcome
{
    /// <summary>The requested item, field or element was found.</summary>
    Hit = 0,

    /// <summary>The requested item, field or element does not exist, or has expired.</summary>
    Miss = 1,

    /// <summary>The call failed.</summary>
    Error = 2,
}
