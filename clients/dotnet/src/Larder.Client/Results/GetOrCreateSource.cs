namespace Larder.Client;

/// <summary>Where the value of a <see cref="GetOrCreateResult{T}"/> came from.</summary>
public enum GetOrCreateSource
{
    /// <summary>The value was in the cache.</summary>
    Hit = 0,

    /// <summary>
    /// The factory created the value, and it is stored. With a lease it is not stored if the key was written meanwhile or the lease had ended.
    /// </summary>
    Created = 1,

    /// <summary>
    /// The value was in the cache and has expired. <see cref="GetOrCreateOptions.RevalidateFor"/> and <see cref="GetOrCreateOptions.FailSafeFor"/> control when
    /// it is returned.
    /// </summary>
    Stale = 2,

    /// <summary>The factory created the value, and the cache could not be read or could not store it.</summary>
    Uncached = 3,
}
